/*
 * Every public header below `using namespace std`: no name of the C interface collides with one of the standard
 * library, and tasks use both together.
 */
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <thread>
#if __cplusplus >= 202002L
#	include <barrier>
#	include <latch>
#	include <semaphore>
#	include <stop_token>
#endif
#if __has_include(<generator>)
#	include <generator>
#endif

using namespace std;

#include <heddle/attributes.h>
#include <heddle/barrier.h>
#include <heddle/blocking.h>
#include <heddle/channel.h>
#include <heddle/condition.h>
#include <heddle/delegation.hpp>
#include <heddle/event.h>
#include <heddle/exceptions.hpp>
#include <heddle/future.h>
#include <heddle/future.hpp>
#include <heddle/generator.h>
#include <heddle/generator.hpp>
#include <heddle/guard.hpp>
#include <heddle/host.h>
#include <heddle/hqd_lock.h>
#include <heddle/latch.h>
#include <heddle/lock.h>
#include <heddle/lockable.hpp>
#include <heddle/mcs_lock.h>
#include <heddle/meta.hpp>
#include <heddle/mrqd_lock.h>
#include <heddle/mutex.h>
#include <heddle/program.h>
#include <heddle/qd.hpp>
#include <heddle/qd_lock.h>
#include <heddle/reader_writer_lock.h>
#include <heddle/scope.h>
#include <heddle/semaphore.h>
#include <heddle/system.h>
#include <heddle/task.h>
#include <heddle/ttas_lock.h>
#include <heddle/ttas_mcs_lock.h>
#include <heddle/version.h>
#include <heddle/waiting.h>
#if __cplusplus >= 202002L
#	include <heddle/coroutine.hpp>
#	include <heddle/task_executor.hpp>
#	include <heddle/thread_executor.hpp>
#endif

/* One is std's, the other is ours. */
static mutex theirs;
static heddle::mutex ours = HEDDLE_MUTEX_INITIALIZER;
static heddle::barrier met = HEDDLE_BARRIER_INITIALIZER(2);
static heddle::c::future came = HEDDLE_FUTURE_INITIALIZER;
static int sum;

static void count_down(heddle::c::generator_body *self, void *)
{
	for (intptr_t i = 3; i > 0; i--)
		generator_yield(self, i);
}

static intptr_t add(void *)
{
	heddle::barrier_wait(&met, nullptr);
	heddle::mutex_guard guard(ours);
	lock_guard<mutex> both(theirs);
	sum++;
	return guard ? HEDDLE_OK : guard.error();
}

static intptr_t run(void *)
{
	heddle::task *other = nullptr;
	heddle::task_options options = HEDDLE_TASK_OPTIONS;
	options.priority = HEDDLE_PRIORITY_HIGH;
	bool right = heddle::task_create(&other, add, nullptr, &options) == HEDDLE_OK &&
	             add(nullptr) == HEDDLE_OK && task_join(other, nullptr) == HEDDLE_OK;

	heddle::c::generator numbers;
	char memory[HEDDLE_GENERATOR_STACK_DEFAULT];
	right = right && generator_create(&numbers, memory, sizeof(memory), count_down, nullptr) == HEDDLE_OK;
	while (right && generator_resume(&numbers) == HEDDLE_OK)
		sum += static_cast<int>(generator_value(&numbers));
	right = right && generator_destroy(&numbers) == HEDDLE_OK;

	heddle::promise<int> made;
	heddle::future<int> value = made.get_future();
	made.set(sum);
	return right && heddle_future_set(&came, value.get()) == HEDDLE_OK && future_value(&came) == 8;
}

int main()
{
	intptr_t right = 0;
	promise<int> made;
	future<int> value = made.get_future();
	made.set_value(42);
	heddle_start("processors=2");
	heddle_run(run, nullptr, &right);
	return heddle_stop() != 0 || right != 1 || value.get() != 42;
}

/*
 * Tasks of Heddle, with LevelDB's locks on Heddle's (lock.h).
 */
#include "tools/measure/leveldb/crew.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "heddle/event.h"
#include "heddle/host.h"
#include "heddle/latch.h"
#include "heddle/system.h"
#include "heddle/task.h"
#include "tools/measure/leveldb/lock.h"

using namespace heddle;

const char crew_locks[] = "exchange, dispatch, inline or ces-spin";

/* LevelDB and the C library's formatting need more than HEDDLE_TASK_STACK_DEFAULT. */
static constexpr size_t stack_of_reader = 64 << 10, stack_of_background = 256 << 10, stack_of_body = 1 << 20;

bool crew_choose_locks(const std::string &name)
{
	return port_lock_choose(name.c_str());
}

static task_options options_of(const char *name, size_t stack_size, bool detached)
{
	task_options options = HEDDLE_TASK_OPTIONS;
	options.name = name;
	options.stack_size = stack_size;
	options.detached = detached;
	return options;
}

namespace
{

/* LevelDB's threads as tasks; files are the system's, and block their processor. */
class task_environment : public leveldb::EnvWrapper
{
  public:
	task_environment() : EnvWrapper(leveldb::Env::Default())
	{
	}

	/* LevelDB asks for one at a time for each database, and waits for it before it closes the database. */
	void Schedule(void (*function)(void *), void *argument) override
	{
		StartThread(function, argument);
	}

	void StartThread(void (*function)(void *), void *argument) override
	{
		task_options options = options_of("background", stack_of_background, true);
		call *made = new call{function, argument};
		enum heddle_error error = task_create(nullptr, call_run, made, &options);
		if (error == HEDDLE_OK)
			return;
		std::fprintf(stderr, "readrandom: no task for LevelDB's background work: %s\n",
		             heddle_error_text(error));
		std::abort();
	}

	void SleepForMicroseconds(int microseconds) override
	{
		(void)task_sleep_until(heddle_clock() + microseconds * uint64_t(1000));
	}

  private:
	struct call {
		void (*function)(void *);
		void *argument;
	};

	static intptr_t call_run(void *argument)
	{
		call made = *static_cast<call *>(argument);
		delete static_cast<call *>(argument);
		made.function(made.argument);
		return 0;
	}
};

struct shared_work {
	const std::function<void(unsigned)> &work;
	latch ready;
	event begun;
	bool given_up;
};

struct worker {
	shared_work *shared;
	unsigned index;
	task *runs;
};

intptr_t worker_run(void *argument)
{
	worker *self = static_cast<worker *>(argument);
	shared_work *shared = self->shared;
	(void)latch_count_down(&shared->ready, 1);
	(void)event_wait(&shared->begun);
	if (!shared->given_up)
		shared->work(self->index);
	return 0;
}

intptr_t body_run(void *argument)
{
	return (*static_cast<const std::function<int()> *>(argument))();
}

/* The task that heddle_run() creates: it creates another with the stack that the body needs. */
intptr_t body_start(void *argument)
{
	task_options options = options_of("body", stack_of_body, false);
	task *body;
	intptr_t result = 1;
	enum heddle_error error = task_create(&body, body_run, argument, &options);
	if (error == HEDDLE_OK)
		error = task_join(body, &result);
	if (error != HEDDLE_OK)
		std::fprintf(stderr, "readrandom: %s\n", heddle_error_text(error));
	return result;
}

} // namespace

int crew_run(unsigned processors, const std::function<int()> &body)
{
	std::string words = "memory=1024 processors=" + std::to_string(processors);
	enum heddle_error error = heddle_start(words.c_str());
	intptr_t result = 1;
	if (error == HEDDLE_OK) {
		error = heddle_run(body_start, const_cast<std::function<int()> *>(&body), &result);
		int left = heddle_stop();
		if (left != 0) {
			std::fprintf(stderr, "readrandom: %d tasks were left waiting\n", left);
			return 1;
		}
	}
	if (error != HEDDLE_OK) {
		std::fprintf(stderr, "readrandom: Heddle: %s\n", heddle_error_text(error));
		return 1;
	}
	return static_cast<int>(result);
}

leveldb::Env *crew_environment()
{
	static leveldb::Env *const environment = new task_environment;
	return environment;
}

uint64_t crew_work(unsigned count, const std::function<void(unsigned)> &work)
{
	shared_work shared = {work, HEDDLE_LATCH_INITIALIZER(count), HEDDLE_EVENT_INITIALIZER, false};
	std::vector<worker> workers(count);
	task_options options = options_of("reader", stack_of_reader, false);
	unsigned made = 0;
	for (; made < count; made++) {
		workers[made] = {&shared, made, nullptr};
		if (task_create(&workers[made].runs, worker_run, &workers[made], &options) != HEDDLE_OK)
			break;
	}
	shared.given_up = made < count;
	if (!shared.given_up)
		(void)latch_wait(&shared.ready);
	uint64_t begin = heddle_clock();
	(void)event_set(&shared.begun);
	for (unsigned i = 0; i < made; i++)
		(void)task_join(workers[i].runs, nullptr);
	return made < count ? 0 : heddle_clock() - begin;
}

std::string crew_counters()
{
	port_lock_totals totals = port_lock_count();
	return totals.acquisitions == 0 ? ""
	                                : ",\"acquisitions\":" + std::to_string(totals.acquisitions) +
	                                      ",\"contended\":" + std::to_string(totals.contended);
}

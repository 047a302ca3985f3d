/*
 * Threads of the system, with LevelDB's own locks, or others: CREW_LOCKS is the name of those that its port has.
 */
#include "tools/measure/leveldb/crew.h"

#include <pthread.h>
#include <sched.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <vector>

#define TEXT_OF(words)     #words
#define TEXT_OF_NAME(name) TEXT_OF(name)

const char crew_locks[] = TEXT_OF_NAME(CREW_LOCKS);

bool crew_choose_locks(const std::string &name)
{
	return name == crew_locks;
}

/* Limit the process to that many of the processors that it may run on. */
static bool limit_processors(unsigned count)
{
	cpu_set_t allowed, kept;
	CPU_ZERO(&kept);
	if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
		return false;
	for (int i = 0; i < CPU_SETSIZE && count > 0; i++)
		if (CPU_ISSET(i, &allowed)) {
			CPU_SET(i, &kept);
			count--;
		}
	return count == 0 && sched_setaffinity(0, sizeof(kept), &kept) == 0;
}

int crew_run(unsigned processors, const std::function<int()> &body)
{
	if (limit_processors(processors))
		return body();
	std::fprintf(stderr, "readrandom: this process may not run on %u processors\n", processors);
	return 1;
}

leveldb::Env *crew_environment()
{
	return leveldb::Env::Default();
}

namespace
{

struct shared_work {
	const std::function<void(unsigned)> &work;
	std::mutex mutex;
	std::condition_variable changed;
	unsigned waiting;
	bool begun, given_up;
};

struct worker {
	shared_work *shared;
	unsigned index;
	pthread_t thread;
};

void *worker_run(void *argument)
{
	worker *self = static_cast<worker *>(argument);
	shared_work *shared = self->shared;
	std::unique_lock<std::mutex> lock(shared->mutex);
	shared->waiting++;
	shared->changed.notify_all();
	shared->changed.wait(lock, [shared] { return shared->begun; });
	bool given_up = shared->given_up;
	lock.unlock();
	if (!given_up)
		shared->work(self->index);
	return nullptr;
}

} // namespace

uint64_t crew_work(unsigned count, const std::function<void(unsigned)> &work)
{
	shared_work shared = {work, {}, {}, 0, false, false};
	std::vector<worker> workers(count);
	unsigned made = 0;
	for (; made < count; made++) {
		workers[made] = {&shared, made, {}};
		if (pthread_create(&workers[made].thread, nullptr, worker_run, &workers[made]) != 0)
			break;
	}
	std::unique_lock<std::mutex> lock(shared.mutex);
	shared.changed.wait(lock, [&] { return shared.waiting == made; });
	shared.begun = true;
	shared.given_up = made < count;
	auto begin = std::chrono::steady_clock::now();
	lock.unlock();
	shared.changed.notify_all();
	for (unsigned i = 0; i < made; i++)
		pthread_join(workers[i].thread, nullptr);
	auto taken = std::chrono::steady_clock::now() - begin;
	return made < count ? 0 : std::chrono::duration_cast<std::chrono::nanoseconds>(taken).count();
}

std::string crew_counters()
{
	return "";
}

/*
 * The program: its workers, its watch, its start and its end.
 */
#include "storm.h"

#include <sched.h>
#include <stdio.h>
#include <unistd.h>

#define LOOK_MILLISECONDS 20 /* how often the watch looks */

struct storm storm;

static const struct kind *const kinds[] = {
    &kind_mutexes,      &kind_robust,     &kind_monitor, &kind_list, &kind_barriers,
    &kind_locks,        &kind_semaphores, &kind_threads, &kind_keys, &kind_once,
    &kind_cancellation, &kind_signals,    &kind_sigwait, &kind_c11,
};
#define KINDS (sizeof(kinds) / sizeof(*kinds))

static struct worker workers[STORM_WORKERS_MAXIMUM];

static struct {
	unsigned long seed, seconds, workers, patience, clocks;
	char only[256], without[256]; /* names of kinds */
} words = {.seed = 1, .seconds = 5, .workers = 12, .patience = 120, .clocks = 1};

/* --------------------------------------------------------------------------------------------- checks -- */

void storm_wrong(const char *file, int line, const char *what, const char *found)
{
	dprintf(STDERR_FILENO,
	        "storm: %s:%d: %s: %s\nstorm: again: seed=%lu seconds=%lu workers=%lu clocks=%lu only=%s "
	        "without=%s\n",
	        file, line, what, found, words.seed, words.seconds, words.workers, words.clocks, words.only,
	        words.without);
	_exit(1);
}

int storm_gave(const char *file, int line, const char *call, int result, const int *allowed, size_t count)
{
	char found[80];
	for (size_t i = 0; i < count; i++)
		if (result == allowed[i])
			return result;
	snprintf(found, sizeof(found), "it gave %d (%s)", result, strerror(result));
	storm_wrong(file, line, call, found);
}

/* ------------------------------------------------------------------------------------------ decisions -- */

void self_begin(struct self *self, uint64_t random)
{
	self->random = random ^ UINT64_C(0x9e3779b97f4a7c15);
	atomic_store_explicit(&self->doing, "nothing yet", memory_order_relaxed);
	draw(self, 2);
}

static struct timespec after(clockid_t clock, long nanoseconds)
{
	struct timespec time;
	clock_gettime(clock, &time);
	time.tv_nsec += nanoseconds;
	time.tv_sec += time.tv_nsec / 1000000000;
	time.tv_nsec %= 1000000000;
	return time;
}

struct timespec soon(struct self *self, clockid_t clock)
{
	switch (draw(self, 3)) {
	case 0:
		return (struct timespec){1, 0};
	case 1:
		return after(clock, draw(self, 20000));
	default:
		return after(clock, draw(self, 3000000));
	}
}

struct timespec far_away(clockid_t clock)
{
	struct timespec time = after(clock, 0);
	time.tv_sec += 1000000;
	return time;
}

clockid_t any_clock(struct self *self)
{
	return draw(self, 2) ? CLOCK_REALTIME : CLOCK_MONOTONIC;
}

static void compute(uint32_t rounds)
{
	volatile uint32_t sink = 0;
	for (uint32_t i = 0; i < rounds; i++)
		sink += i;
}

void dawdle(struct self *self)
{
	switch (draw(self, 16)) {
	case 0:
		usleep(draw(self, 300));
		break;
	case 1:
	case 2:
	case 3:
		sched_yield();
		break;
	case 4:
	case 5:
		compute(draw(self, 20000));
		break;
	default:
		break;
	}
}

/* ------------------------------------------------------------------------------------------- children -- */

void thread_begin(struct self *self, pthread_t *thread, const pthread_attr_t *attributes,
                  void *(*function)(void *), void *argument)
{
	while (GIVES(self, pthread_create(thread, attributes, function, argument), 0, EAGAIN) == EAGAIN)
		usleep(1000);
}

void children_begin(struct self *self, struct child *children, unsigned count, void *(*function)(void *),
                    void *shared)
{
	for (unsigned i = 0; i < count; i++) {
		struct child *child = &children[i];
		self_begin(&child->self, self->random + i);
		child->number = i;
		child->shared = shared;
		draw(self, 2);
	}
	for (unsigned i = 0; i < count; i++)
		thread_begin(self, &children[i].thread, NULL, function, &children[i]);
}

void children_end(struct self *self, struct child *children, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		void *result;
		OK(self, pthread_join(children[i].thread, &result));
		CHECK(result == &children[i]);
	}
}

/* -------------------------------------------------------------------------------------------- workers -- */

static bool takes_part(const struct kind *kind)
{
	return (!words.only[0] || strstr(words.only, kind->name)) && !strstr(words.without, kind->name);
}

static unsigned weight_of(const struct kind *kind)
{
	return takes_part(kind) ? kind->weight : 0;
}

static const struct kind *kind_choose(struct self *self)
{
	unsigned all = 0;
	for (size_t i = 0; i < KINDS; i++)
		all += weight_of(kinds[i]);
	uint32_t drawn = draw(self, all);
	size_t kind = 0;
	for (; drawn >= weight_of(kinds[kind]); kind++)
		drawn -= weight_of(kinds[kind]);
	return kinds[kind];
}

static _Atomic unsigned made; /* workers whose numbers are known */

void worker_cancel(struct self *self)
{
	unsigned count = atomic_load(&made);
	if (count > 0)
		OK(self, pthread_cancel(workers[draw(self, count)].thread));
}

static void *work(void *argument)
{
	struct worker *worker = argument;
	CHECK(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL) == 0);
	while (atomic_load_explicit(&made, memory_order_relaxed) < words.workers)
		usleep(1000);
	while (!storm_is_over()) {
		const struct kind *kind = kind_choose(&worker->self);
		atomic_store_explicit(&worker->turn, kind->name, memory_order_relaxed);
		kind->turn(&worker->self);
		atomic_fetch_add_explicit(&worker->turns, 1, memory_order_relaxed);
	}
	atomic_store_explicit(&worker->ended, true, memory_order_release);
	return worker;
}

static void workers_begin(void)
{
	struct self self;
	self_begin(&self, words.seed);
	for (unsigned i = 0; i < words.workers; i++) {
		self_begin(&workers[i].self, (words.seed << 8) + i);
		atomic_store(&workers[i].turn, "none");
		thread_begin(&self, &workers[i].thread, NULL, work, &workers[i]);
		atomic_store(&made, i + 1);
	}
}

/* ---------------------------------------------------------------------------------------------- watch -- */

/* For each worker: the turn that it was in at the last look, and how many looks have seen it in it. A look counts for
 * no more than the time between two, however long the machine stood still meanwhile. */
static struct {
	uint64_t turns;
	unsigned long looks;
} seen[STORM_WORKERS_MAXIMUM];

static void look(void)
{
	bool hangs = false;
	usleep(LOOK_MILLISECONDS * 1000);
	for (unsigned i = 0; i < words.workers; i++) {
		uint64_t turns = atomic_load_explicit(&workers[i].turns, memory_order_relaxed);
		bool stays = turns == seen[i].turns && !atomic_load_explicit(&workers[i].ended, memory_order_relaxed);
		seen[i].looks = stays ? seen[i].looks + 1 : 0;
		seen[i].turns = turns;
		if (seen[i].looks * LOOK_MILLISECONDS < words.patience * 1000)
			continue;
		hangs = true;
		dprintf(STDERR_FILENO,
		        "storm: worker %u does not come to the end of its turn of %s; last it called %s\n", i,
		        atomic_load(&workers[i].turn), atomic_load(&workers[i].self.doing));
	}
	if (hangs)
		storm_wrong(__FILE__, __LINE__, "each turn ends", "not so");
}

static bool all_have_ended(void)
{
	for (unsigned i = 0; i < words.workers; i++)
		if (!atomic_load_explicit(&workers[i].ended, memory_order_acquire))
			return false;
	return true;
}

static void release(void)
{
	for (size_t i = 0; i < KINDS; i++)
		if (kinds[i]->release)
			kinds[i]->release();
}

static void watch(void)
{
	for (unsigned long looks = 0; looks * LOOK_MILLISECONDS < words.seconds * 1000; looks++)
		look();
	atomic_store(&storm.over, true);
	while (!all_have_ended()) {
		release();
		look();
	}
	for (unsigned i = 0; i < words.workers; i++)
		CHECK(pthread_join(workers[i].thread, NULL) == 0);
	for (unsigned long looks = 0; atomic_load(&storm.detached) > 0; looks++) {
		usleep(LOOK_MILLISECONDS * 1000);
		if (looks * LOOK_MILLISECONDS > words.patience * 1000)
			storm_wrong(__FILE__, __LINE__, "each detached thread ends", "not so");
	}
}

/* ---------------------------------------------------------------------------------------------- start -- */

static bool understood(const char *word)
{
	return sscanf(word, "seed=%lu", &words.seed) == 1 || sscanf(word, "seconds=%lu", &words.seconds) == 1 ||
	       sscanf(word, "workers=%lu", &words.workers) == 1 ||
	       sscanf(word, "patience=%lu", &words.patience) == 1 ||
	       sscanf(word, "clocks=%lu", &words.clocks) == 1 || sscanf(word, "only=%255s", words.only) == 1 ||
	       sscanf(word, "without=%255s", words.without) == 1 || strcmp(word, "only=") == 0 ||
	       strcmp(word, "without=") == 0;
}

int main(int count, char **arguments)
{
	uint64_t turns = 0;
	for (int i = 1; i < count; i++)
		if (!understood(arguments[i]) || words.workers < 1 || words.workers > STORM_WORKERS_MAXIMUM) {
			fprintf(stderr,
			        "storm: %s is not understood; the words are seed= seconds= workers= (1 to %d) patience= "
			        "clocks= only=KIND,KIND without=KIND,KIND\n",
			        arguments[i], STORM_WORKERS_MAXIMUM);
			return 2;
		}
	storm.seed = words.seed;
	storm.clocks = words.clocks;
	for (size_t i = 0; i < KINDS; i++)
		if (kinds[i]->prepare)
			kinds[i]->prepare();
	workers_begin();
	watch();
	for (size_t i = 0; i < KINDS; i++)
		if (kinds[i]->finish)
			kinds[i]->finish();
	for (unsigned i = 0; i < words.workers; i++)
		turns += atomic_load(&workers[i].turns);
	printf("%lu turns, %lu holders died, %lu cancelled, %lu signals: nothing is wrong\n",
	       (unsigned long)turns, atomic_load(&storm.deaths), atomic_load(&storm.cancels),
	       atomic_load(&storm.signals));
	return 0;
}

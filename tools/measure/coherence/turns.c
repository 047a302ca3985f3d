#include "turns.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

#include "lines.h"

#define NO_PROCESSOR UINT32_MAX
#define WAIT_MAXIMUM \
	500000000 /* nanoseconds; QEMU may have to stop all processors, and needs the waiting ones */
#define SECOND 1000000000

/* Everything except `left` is changed with the mutex held. Atomic fields are read without it; relaxed, because a
 * processor that does not find its turn looks again, and none can wrongly believe that it has the turn. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct {
	sem_t turn; /* it may have got the turn */
	bool runs;
	int64_t left; /* instructions left of the present turn */
} processors[PROCESSORS_MAXIMUM];
static unsigned count, length;
static atomic_bool active;
static atomic_uint holder;
static _Atomic uint64_t turns, rounds;
static uint64_t taken, chance = 1;

void turns_create(unsigned processor_count, unsigned turn_length)
{
	count = processor_count;
	length = turn_length;
	for (unsigned i = 0; i < count; i++)
		sem_init(&processors[i].turn, 0, 0);
}

static bool is_active(void)
{
	return atomic_load_explicit(&active, memory_order_relaxed);
}

static bool has_turn(unsigned processor)
{
	return atomic_load_explicit(&holder, memory_order_relaxed) == processor;
}

/* Between half and one and a half of the length, so that processors do not fall into step. */
static int64_t length_next(void)
{
	chance = chance * UINT64_C(6364136223846793005) + 1442695040888963407;
	return length / 2 + (int64_t)((chance >> 33) % (length + 1));
}

/* With the mutex held. Returns the processor. */
static unsigned give(unsigned processor)
{
	if (processor != NO_PROCESSOR)
		processors[processor].left = length_next();
	atomic_fetch_add_explicit(&turns, processor != NO_PROCESSOR, memory_order_relaxed);
	atomic_store_explicit(&holder, processor, memory_order_relaxed);
	return processor;
}

/* With the mutex held. Returns the processor whose turn it is now. */
static unsigned pass_on(unsigned processor)
{
	unsigned next = processor;
	do
		next = (next + 1) % count;
	while (!processors[next].runs && next != processor);
	atomic_fetch_add_explicit(&rounds, next <= processor, memory_order_relaxed);
	return give(processors[next].runs ? next : NO_PROCESSOR);
}

/* Without the mutex, so that the woken processor goes on at once. */
static void wake(unsigned processor)
{
	if (processor != NO_PROCESSOR)
		sem_post(&processors[processor].turn);
}

void turns_begin(unsigned processor)
{
	pthread_mutex_lock(&mutex);
	if (length > 0 && !is_active()) {
		processors[processor].runs = true;
		give(processor);
		atomic_store_explicit(&active, true, memory_order_relaxed);
	}
	pthread_mutex_unlock(&mutex);
}

void turns_end(void)
{
	atomic_store_explicit(&active, false, memory_order_relaxed);
	for (unsigned i = 0; i < count; i++)
		wake(i);
}

/* If no processor takes its turn for long, take it: QEMU may wait for those that wait here. */
static void wait_for_turn(unsigned processor)
{
	uint64_t seen = atomic_load_explicit(&turns, memory_order_relaxed);
	struct timespec deadline;
	clock_gettime(CLOCK_REALTIME, &deadline);
	deadline.tv_nsec += WAIT_MAXIMUM;
	deadline.tv_sec += deadline.tv_nsec / SECOND;
	deadline.tv_nsec %= SECOND;
	if (sem_timedwait(&processors[processor].turn, &deadline) == 0)
		return;
	pthread_mutex_lock(&mutex);
	if (atomic_load_explicit(&turns, memory_order_relaxed) == seen && is_active()) {
		taken++;
		give(processor);
	}
	pthread_mutex_unlock(&mutex);
}

void turns_spend(unsigned processor, unsigned instructions)
{
	unsigned woken = NO_PROCESSOR;
	if (!is_active() || (has_turn(processor) && (processors[processor].left -= instructions) > 0))
		return;
	pthread_mutex_lock(&mutex);
	processors[processor].runs = true;
	if (has_turn(processor))
		woken = pass_on(processor);
	else if (has_turn(NO_PROCESSOR))
		give(processor);
	pthread_mutex_unlock(&mutex);
	if (woken != processor)
		wake(woken);
	while (is_active() && !has_turn(processor))
		wait_for_turn(processor);
}

void turns_halt(unsigned processor)
{
	unsigned woken = NO_PROCESSOR;
	pthread_mutex_lock(&mutex);
	processors[processor].runs = false;
	if (has_turn(processor))
		woken = pass_on(processor);
	pthread_mutex_unlock(&mutex);
	wake(woken);
}

void turns_go_on(unsigned processor)
{
	pthread_mutex_lock(&mutex);
	processors[processor].runs = true;
	if (has_turn(NO_PROCESSOR))
		give(processor);
	pthread_mutex_unlock(&mutex);
}

uint64_t turns_count(void)
{
	return atomic_load_explicit(&turns, memory_order_relaxed);
}

uint64_t turns_elapsed(void)
{
	return atomic_load_explicit(&rounds, memory_order_relaxed) * length;
}

uint64_t turns_taken(void)
{
	return taken;
}

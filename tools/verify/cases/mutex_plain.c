/* A plain mutex alone: one holder after the other, and tasks that turn it, and then wait. */
#include "plain.h"

#include "arch/arch.h"
#include "kernel/processor.h"

static struct mutex mutex;
static uint64_t waiting[2]; /* stands for the place of a waiter */
static bool granted[2];

static void set_up(const struct explore_case *explored)
{
	(void)explored;
	explore_stores_are_steps(); /* mutex_turn() waits for stores */
	explore_name(&mutex.word, sizeof mutex.word, "word");
	explore_name(&mutex.owner, sizeof mutex.owner, "owner");
	mutex.word = MUTEX_PLAIN;
}

void arch_remote_barrier(void)
{
	explore_settle();
}

AS_MEMORY_IS static bool is_granted(void *flag)
{
	return *(const bool *)flag;
}

static bool change(uintptr_t from, uintptr_t to)
{
	return atomic_compare_exchange_strong(&mutex.word, &from, to);
}

/* Whether it was free. */
static bool lock(void)
{
	return change(MUTEX_PLAIN, MUTEX_PLAIN | MUTEX_LOCKED) || change(MUTEX_FREE, MUTEX_LOCKED);
}

static void unlock(void)
{
	atomic_store_explicit(&mutex.owner, NULL, memory_order_relaxed);
	if (mutex_unlock_plainly(&mutex))
		return;
	uintptr_t word = mutex.word;
	while ((word & MUTEX_LOCKED) && !change(word, MUTEX_FREE))
		word = mutex.word;
	if (word & MUTEX_LOCKED)
		return;
	/* All wait no longer, and lock no more. */
	for (word = atomic_exchange(&mutex.word, MUTEX_FREE); word;) {
		uint64_t *place = (uint64_t *)word;
		word = *place;
		granted[place - waiting] = true;
	}
}

static void use(void)
{
	if (!lock())
		return;
	atomic_store_explicit(&mutex.owner, (struct task *)waiting, memory_order_relaxed);
	unlock();
}

static void wait_at(uint64_t *place)
{
	while (!mutex_turn(&mutex))
		explore_wait(plain_has_changed, &mutex); /* in place of a loop */
	for (;;) {
		uintptr_t word = mutex.word;
		if (mutex_word_is_free(word) || mutex_word_is_plain(word))
			return;
		*place = word == MUTEX_LOCKED ? 0 : word;
		if (change(word, (uintptr_t)place))
			break;
	}
	explore_wait(is_granted, &granted[place - waiting]);
}

static void program(const struct explore_case *explored, unsigned processor)
{
	(void)explored;
	if (processor > 0) {
		wait_at(&waiting[processor - 1]);
		return;
	}
	use();
	use();
}

static const char *check(const struct explore_case *explored)
{
	(void)explored;
	return mutex_word_is_free(mutex.word) && !mutex.owner ? NULL : "the mutex is not free";
}

#define CASE(title, count)                                                                         \
	{                                                                                              \
		.name = "mutex_plain." title, .processors = (count), .set_up = set_up, .program = program, \
		.check = check                                                                             \
	}

const struct explore_case explore_cases[] = {
    CASE("one-waits", 2),
    CASE("two-wait", 3),
    {0},
};

/* A quantum that is spent in a critical section: the task stays, once and for a bounded time, or makes way. */
#include "heddle/mutex.h"
#include "heddle/qd_lock.h"
#include "sched/statistics.h"
#include "user/test/quantum.h"
#include "user/test/test.h"

#define ROUNDS 20
#define MOST   15 /* rounds may differ: a rare pick looks elsewhere first (ready.h) */

/* Together with a task that takes turns. */
struct stay {
	struct mutex mutex;
	struct turns turns;
	struct task *other;
};

static unsigned turns_of(struct stay *stay)
{
	return atomic_load_explicit(&stay->turns.taken, memory_order_relaxed);
}

/* Spend a quantum; returns whether the other task got a turn. */
static bool spend(struct stay *stay)
{
	unsigned before = turns_of(stay);
	quantum_spent();
	return turns_of(stay) != before;
}

static bool begin(struct stay *stay)
{
	*stay = (struct stay){.mutex = HEDDLE_MUTEX_INITIALIZER};
	return task_bind(0) == HEDDLE_OK && task_set_quantum(QUANTUM_SLICE) == HEDDLE_OK &&
	       task_start(&stay->other, take_turns, &stay->turns, 0, HEDDLE_PRIORITY_NORMAL, 0) == HEDDLE_OK;
}

static bool end(struct stay *stay)
{
	atomic_store_explicit(&stay->turns.over, true, memory_order_relaxed);
	return task_join(stay->other, NULL) == HEDDLE_OK;
}

/* Once; then, or at the unlock, the task makes way. */
TEST(extension, of_a_holder)
{
	struct stay stay;
	unsigned stayed = 0, left_then = 0, left_at_unlock = 0;
	CHECK(begin(&stay));
	for (unsigned round = 0; round < ROUNDS; round++) {
		task_yield();
		mutex_lock(&stay.mutex);
		stayed += !spend(&stay);
		left_then += spend(&stay);
		stayed += !spend(&stay);
		unsigned before = turns_of(&stay);
		mutex_unlock(&stay.mutex);
		quantum_spent(); /* the next check, in case there was none before */
		left_at_unlock += turns_of(&stay) != before;
	}
	CHECK(end(&stay));
	CHECK(stayed >= 2 * MOST);
	CHECK(left_then >= MOST);
	CHECK(left_at_unlock >= MOST);
}

/* No check comes between its sections: it is still extended once a turn, and makes way at an unlock. */
TEST(extension, is_once_a_turn)
{
	struct stay stay;
	unsigned turns = 0, inside = 0;
	CHECK(begin(&stay));
	for (unsigned round = 0; round < ROUNDS; round++) {
		unsigned before = turns_of(&stay);
		mutex_lock(&stay.mutex);
		quantum_spent();
		inside += turns_of(&stay) != before;
		mutex_unlock(&stay.mutex);
		turns += turns_of(&stay) != before;
	}
	CHECK(end(&stay));
	CHECK(turns >= MOST);
	CHECK(inside <= ROUNDS - MOST);
}

/* Nested sections: it makes way when it has left both, and before that at a second spent quantum. */
TEST(extension, is_not_renewed_by_another_section)
{
	struct mutex inner = HEDDLE_MUTEX_INITIALIZER;
	struct stay stay;
	unsigned left = 0;
	CHECK(begin(&stay));
	for (unsigned round = 0; round < ROUNDS; round++) {
		task_yield();
		mutex_lock(&stay.mutex);
		quantum_spent();
		uncooperative_begin(); /* so that it does not leave at the unlock */
		mutex_unlock(&stay.mutex);
		mutex_try_lock(&inner);
		unsigned before = turns_of(&stay);
		uncooperative_end();
		quantum_spent(); /* unless a check came before */
		left += turns_of(&stay) != before;
		mutex_unlock(&inner);
	}
	CHECK(end(&stay));
	CHECK(left >= MOST);
}

static struct {
	struct qd_slot slots[32];
	struct qd_lock lock;
	struct stay stay;
	unsigned turns, left; /* turns that the other task had taken, and in how many sections it was one more */
} helped = {.lock = HEDDLE_QD_LOCK_INITIALIZER(helped.slots, 32, 2 * ROUNDS)};

/* A section is uncooperative: where its quantum is spent, the helper makes way behind it. */
static void spend_in_section(size_t size, void *unused)
{
	(void)size, (void)unused;
	helped.left += turns_of(&helped.stay) != helped.turns;
	helped.turns = turns_of(&helped.stay);
	quantum_spent();
}

static void delegate_rounds(size_t size, void *unused)
{
	(void)size, (void)unused;
	for (unsigned round = 0; round < ROUNDS; round++)
		qd_delegate(&helped.lock, spend_in_section, 0, NULL);
}

/* It stays for each section that it carries out: others wait for the next. */
TEST(extension, of_a_helper)
{
	CHECK(begin(&helped.stay));
	task_yield();
	helped.turns = turns_of(&helped.stay);
	helped.left = 0;
	CHECK_EQUAL(qd_delegate(&helped.lock, delegate_rounds, 0, NULL), HEDDLE_OK);
	CHECK_EQUAL(helped.lock.counters.helped, ROUNDS);
	CHECK(helped.left <= ROUNDS - MOST);
	CHECK(end(&helped.stay));
	CHECK_EQUAL(qd_lock_destroy(&helped.lock), HEDDLE_OK);
}

/* Without an extension it makes way inside; both cases are counted. */
TEST(extension, is_the_task_s_own)
{
	struct stay stay;
	unsigned left = 0, stayed = 0;
	CHECK(begin(&stay));
	CHECK_EQUAL(task_set_extension(HEDDLE_TASK_QUANTUM_MAXIMUM + 1), HEDDLE_BAD_ARGUMENT);
	struct statistics before = statistics_sum();
	for (unsigned round = 0; round < ROUNDS; round++) {
		CHECK_EQUAL(task_set_extension(0), HEDDLE_OK);
		mutex_lock(&stay.mutex);
		left += spend(&stay);
		mutex_unlock(&stay.mutex);
		CHECK_EQUAL(task_set_extension(QUANTUM_SLICE), HEDDLE_OK);
		task_yield();
		mutex_lock(&stay.mutex);
		stayed += !spend(&stay);
		mutex_unlock(&stay.mutex);
		task_yield();
	}
	struct statistics after = statistics_sum();
	CHECK(end(&stay));
	CHECK(left >= MOST);
	CHECK(stayed >= MOST);
	CHECK(after.inside - before.inside >= left);
	CHECK(after.extended - before.extended >= stayed);
}

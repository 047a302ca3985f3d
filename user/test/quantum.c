/*
 * Quanta and uncooperative regions. The compiler's checks may be there or not, so the tests call what a check calls,
 * quantum_spent(), as if a slice of the quantum had just been spent.
 */
#include "user/test/quantum.h"

#include "heddle/system.h"
#include "user/test/test.h"

#define TURNS 60

static int32_t counter(void)
{
	return quantum_counter_left(quantum_counter(processor_current()));
}

/* ---------------------------------------------------------------------------------------------- value -- */

/* Two tasks on processor 0; the first spends slices, the second counts its own turns meanwhile.
 */
static intptr_t spend_slices(void *argument)
{
	struct turns *turns = argument;
	for (unsigned i = 0; i < TURNS; i++)
		quantum_spent();
	atomic_store_explicit(&turns->over, true, memory_order_relaxed);
	return 0;
}

/* How many turns the other had while a task with that quantum spent TURNS slices. */
static unsigned turns_of_other(uint32_t quantum)
{
	struct turns turns = {0};
	struct task *first, *other;
	/* Both are higher than this one, and the first must not begin before the other exists. */
	uncooperative_begin();
	bool has_first = task_start(&first, spend_slices, &turns, quantum, HEDDLE_PRIORITY_HIGH, 0) == HEDDLE_OK;
	bool has_other = task_start(&other, take_turns, &turns, HEDDLE_TASK_QUANTUM_MAXIMUM, HEDDLE_PRIORITY_HIGH,
	                            0) == HEDDLE_OK;
	uncooperative_end();
	if (has_first)
		task_join(first, NULL);
	atomic_store_explicit(&turns.over, true, memory_order_relaxed);
	if (has_other)
		task_join(other, NULL);
	return atomic_load_explicit(&turns.taken, memory_order_relaxed);
}

/* Two more: the last turn, and picks that looked elsewhere first (ready.h). */
#define NEARLY(actual, expected) ((actual) + 2 >= (expected) && (actual) <= (expected) + 2)

TEST(quantum, of_a_slice_or_less_ends_with_it)
{
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK(NEARLY(turns_of_other(QUANTUM_SLICE), TURNS));
	CHECK(NEARLY(turns_of_other(QUANTUM_SLICE / 2), TURNS));
}

TEST(quantum, of_many_slices_lasts_so_long)
{
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK(NEARLY(turns_of_other(3 * QUANTUM_SLICE), TURNS / 3));
	CHECK(NEARLY(turns_of_other(5 * QUANTUM_SLICE - 1), TURNS / 5));
	CHECK(turns_of_other(HEDDLE_TASK_QUANTUM_MAXIMUM) <= 2);
}

TEST(quantum, counts_implicit_switches)
{
	const struct scheduler_counters *counters = &processors[0].scheduler->counters;
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	uint64_t before = atomic_load_explicit(&counters->implicit, memory_order_relaxed);
	turns_of_other(QUANTUM_SLICE);
	CHECK(atomic_load_explicit(&counters->implicit, memory_order_relaxed) - before >= TURNS - 2);
}

/* What a check between the switch and the look subtracted is less than this. */
#define SOME 2000

static intptr_t yield_until_set(void *flag)
{
	while (!is_set(flag))
		task_yield();
	return 0;
}

TEST(quantum, begins_anew_at_each_switch)
{
	struct task *other;
	atomic_bool over = false;
	unsigned wrong = 0;
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK_EQUAL(task_start(&other, yield_until_set, &over, 777, HEDDLE_PRIORITY_NORMAL, 0), HEDDLE_OK);
	CHECK_EQUAL(task_set_quantum(5000), HEDDLE_OK);
	for (unsigned i = 0; i < 100; i++) {
		quantum_counter_set(processor_current(), quantum_counter_exact(2));
		task_yield();
		wrong += counter() >= 5000 || counter() < 5000 - SOME;
	}
	set_flag(&over);
	task_join(other, NULL);
	CHECK(wrong <= 2); /* picks that looked elsewhere first */
}

TEST(quantum, can_be_changed)
{
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK_EQUAL(task_set_quantum(HEDDLE_TASK_QUANTUM_MAXIMUM + 1), HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(task_set_quantum(HEDDLE_TASK_QUANTUM_MAXIMUM), HEDDLE_OK);
	turn_end();
	CHECK(counter() < QUANTUM_SLICE && counter() >= QUANTUM_SLICE - SOME);
	CHECK_EQUAL(task_set_quantum(5000), HEDDLE_OK);
	CHECK(counter() < 5000 && counter() >= 5000 - SOME);
	CHECK_EQUAL(task_set_quantum(1), HEDDLE_OK);
	CHECK(counter() <= 0);
	CHECK_EQUAL(task_set_quantum(0), HEDDLE_OK);
	CHECK(counter() < QUANTUM_SLICE);
}

TEST(quantum, bad_option)
{
	struct task_options options = HEDDLE_TASK_OPTIONS;
	struct task *task;
	options.quantum = HEDDLE_TASK_QUANTUM_MAXIMUM + 1;
	CHECK_EQUAL(task_create(&task, set_flag, NULL, &options), HEDDLE_BAD_ARGUMENT);
}

/* No task renews a quantum for ever by setting it. */
TEST(quantum, set_again_and_again_ends)
{
	struct turns turns = {0};
	struct task *other;
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK_EQUAL(task_start(&other, take_turns, &turns, 0, HEDDLE_PRIORITY_NORMAL, 0), HEDDLE_OK);
	uint64_t end = heddle_clock() + 10000000000;
	while (atomic_load_explicit(&turns.taken, memory_order_relaxed) < 3 && heddle_clock() < end)
		task_set_quantum(0);
	set_flag(&turns.over);
	task_join(other, NULL);
	CHECK(atomic_load_explicit(&turns.taken, memory_order_relaxed) >= 3);
}

/* -------------------------------------------------------------------------------- uncooperative regions --
 */

TEST(quantum, uncooperative_region_puts_the_switch_off)
{
	atomic_bool ran = false;
	struct task *other;
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK_EQUAL(task_set_quantum(QUANTUM_SLICE), HEDDLE_OK);
	CHECK_EQUAL(task_set_priority(HEDDLE_PRIORITY_HIGH), HEDDLE_OK);
	uncooperative_begin();
	bool made = task_start(&other, set_flag, &ran, 0, HEDDLE_PRIORITY_REALTIME, 0) == HEDDLE_OK;
	quantum_spent();
	bool ran_inside = is_set(&ran);
	uncooperative_begin();
	quantum_spent();
	uncooperative_end();
	ran_inside |= is_set(&ran);
	uncooperative_end();
	bool ran_then = is_set(&ran);
	CHECK(made);
	task_join(other, NULL);
	CHECK(!ran_inside);
	CHECK(ran_then);
}

__attribute__((noinline, no_sanitize("address", "thread", "undefined"))) static intptr_t
fault_uncooperative(void *address)
{
	uncooperative_begin();
	quantum_spent();
	*(volatile uint32_t *)address = 1;
	return 0;
}

/* The next task on that processor may switch again. */
TEST(quantum, uncooperative_region_ends_with_a_fault)
{
	struct task *task;
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK_EQUAL(task_start(&task, fault_uncooperative, (void *)16, 0, HEDDLE_PRIORITY_NORMAL, 0), HEDDLE_OK);
	CHECK_EQUAL(task_join(task, NULL), HEDDLE_TASK_FAULT);
	task_yield();
	CHECK_EQUAL(processor_current()->uncooperative, 0);
}

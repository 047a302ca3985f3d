/*
 * Quanta, early switches and uncooperative regions. The checks that the compiler inserts may be there or not,
 * so most tests call what a check calls, quantum_spent(), as if a slice of the quantum had just been spent.
 */
#include "sched/quantum.h"

#include "heddle/system.h"
#include "heddle/task.h"
#include "user/test/test.h"

#define TURNS     60
#define PATIENCE  UINT64_C(5000000000) /* nanoseconds */
#define BUSY_MOST 8                    /* processors that a test may keep busy */

static enum heddle_error task_start(struct task **task, task_function function, void *argument,
                                    uint32_t quantum, enum task_priority priority, int processor)
{
	struct task_options options = TASK_OPTIONS;
	options.quantum = quantum;
	options.priority = priority;
	options.processor = processor;
	return task_create(task, function, argument, &options);
}

static int32_t counter(void)
{
	return atomic_load_explicit(&processor_current()->quantum, memory_order_relaxed);
}

static intptr_t set_flag(void *flag)
{
	atomic_store_explicit((atomic_bool *)flag, true, memory_order_release);
	return 0;
}

static bool is_set(const atomic_bool *flag)
{
	return atomic_load_explicit(flag, memory_order_acquire);
}

/* ---------------------------------------------------------------------------------------------- value -- */

/* Two tasks on processor 0; the first spends slices, the second counts how often it gets its turn meanwhile.
 */
struct turns {
	atomic_bool over;
	_Atomic unsigned taken;
};

static intptr_t spend_slices(void *argument)
{
	struct turns *turns = argument;
	for (unsigned i = 0; i < TURNS; i++)
		quantum_spent();
	atomic_store_explicit(&turns->over, true, memory_order_relaxed);
	return 0;
}

static intptr_t take_turns(void *argument)
{
	struct turns *turns = argument;
	while (!atomic_load_explicit(&turns->over, memory_order_relaxed)) {
		atomic_fetch_add_explicit(&turns->taken, 1, memory_order_relaxed);
		task_yield();
	}
	return 0;
}

/* How many turns the other got while a task with that quantum spent TURNS slices. */
static unsigned turns_of_other(uint32_t quantum)
{
	struct turns turns = {0};
	struct task *first, *other;
	if (task_start(&first, spend_slices, &turns, quantum, PRIORITY_HIGH, 0) != HEDDLE_OK)
		return 0;
	if (task_start(&other, take_turns, &turns, TASK_QUANTUM_MAXIMUM, PRIORITY_HIGH, 0) == HEDDLE_OK)
		task_join(other, NULL);
	task_join(first, NULL);
	return atomic_load_explicit(&turns.taken, memory_order_relaxed);
}

/* Two more: the last turn, and picks that went elsewhere (ready.h). */
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
	CHECK(turns_of_other(TASK_QUANTUM_MAXIMUM) <= 2);
}

TEST(quantum, counts_implicit_switches)
{
	const struct scheduler_counters *counters = &processors[0].scheduler->counters;
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	uint64_t before = atomic_load_explicit(&counters->implicit, memory_order_relaxed);
	turns_of_other(QUANTUM_SLICE);
	CHECK(atomic_load_explicit(&counters->implicit, memory_order_relaxed) - before >= TURNS - 2);
}

/* Of what a check between the switch and the look took, there is less than this. */
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
	CHECK_EQUAL(task_start(&other, yield_until_set, &over, 777, PRIORITY_NORMAL, 0), HEDDLE_OK);
	CHECK_EQUAL(task_set_quantum(5000), HEDDLE_OK);
	for (unsigned i = 0; i < 100; i++) {
		atomic_store_explicit(&processor_current()->quantum, 1, memory_order_relaxed);
		task_yield();
		wrong += counter() >= 5000 || counter() < 5000 - SOME;
	}
	set_flag(&over);
	task_join(other, NULL);
	CHECK(wrong <= 2); /* picks that went elsewhere */
}

/* A larger quantum counts from the next turn on: spend what is left of this one. */
static void turn_end(void)
{
	for (unsigned i = 0; i < 10; i++)
		quantum_spent();
}

TEST(quantum, can_be_changed)
{
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK_EQUAL(task_set_quantum(TASK_QUANTUM_MAXIMUM + 1), HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(task_set_quantum(TASK_QUANTUM_MAXIMUM), HEDDLE_OK);
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
	struct task_options options = TASK_OPTIONS;
	struct task *task;
	options.quantum = TASK_QUANTUM_MAXIMUM + 1;
	CHECK_EQUAL(task_create(&task, set_flag, NULL, &options), HEDDLE_BAD_ARGUMENT);
}

/* Nobody renews a quantum for ever by setting it. */
TEST(quantum, set_again_and_again_ends)
{
	struct turns turns = {0};
	struct task *other;
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK_EQUAL(task_start(&other, take_turns, &turns, 0, PRIORITY_NORMAL, 0), HEDDLE_OK);
	uint64_t end = heddle_clock() + 10000000000;
	while (atomic_load_explicit(&turns.taken, memory_order_relaxed) < 3 && heddle_clock() < end)
		task_set_quantum(0);
	set_flag(&turns.over);
	task_join(other, NULL);
	CHECK(atomic_load_explicit(&turns.taken, memory_order_relaxed) >= 3);
}

/* ---------------------------------------------------------------------------------------- early switch -- */

/* With all of the quantum before it, the task makes way for a higher one, and not for its equals. */
TEST(quantum, early_switch_on_the_same_processor)
{
	atomic_bool equal_ran = false, higher_ran = false;
	struct task *equal, *higher;
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK_EQUAL(task_set_quantum(TASK_QUANTUM_MAXIMUM), HEDDLE_OK);
	turn_end();
	CHECK_EQUAL(task_start(&equal, set_flag, &equal_ran, 0, PRIORITY_NORMAL, 0), HEDDLE_OK);
	quantum_spent();
	bool equal_first = is_set(&equal_ran);
	CHECK_EQUAL(task_start(&higher, set_flag, &higher_ran, 0, PRIORITY_HIGH, 0), HEDDLE_OK);
	quantum_spent();
	bool higher_then = is_set(&higher_ran);
	task_join(equal, NULL);
	task_join(higher, NULL);
	CHECK(!equal_first);
	CHECK(higher_then);
}

/* Here, or on an idle processor. */
TEST(quantum, early_switch_for_a_task_of_any_processor)
{
	atomic_bool ran = false;
	struct task *higher;
	uint64_t end = heddle_clock() + PATIENCE;
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK_EQUAL(task_set_priority(PRIORITY_LOW), HEDDLE_OK);
	CHECK_EQUAL(task_set_quantum(TASK_QUANTUM_MAXIMUM), HEDDLE_OK);
	quantum_spent(); /* with a new priority, ready tasks are looked at in any case */
	CHECK_EQUAL(task_start(&higher, set_flag, &ran, 0, PRIORITY_HIGH, TASK_ANY_PROCESSOR), HEDDLE_OK);
	quantum_spent();
	while (!is_set(&ran) && heddle_processors() > 1 && heddle_clock() < end)
		continue;
	bool in_time = is_set(&ran);
	task_join(higher, NULL);
	CHECK(in_time);
}

/* A higher task whose time has come runs where a slice ends. */
static intptr_t sleep_and_set(void *flag)
{
	task_sleep_until(heddle_clock() + 1000000);
	return set_flag(flag);
}

TEST(quantum, early_switch_to_a_sleeper)
{
	atomic_bool woke = false;
	struct task *sleeper;
	uint64_t end = heddle_clock() + PATIENCE;
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK_EQUAL(task_set_quantum(TASK_QUANTUM_MAXIMUM), HEDDLE_OK);
	CHECK_EQUAL(task_start(&sleeper, sleep_and_set, &woke, 0, PRIORITY_HIGH, 0), HEDDLE_OK);
	while (!is_set(&woke) && heddle_clock() < end) {
		task_set_quantum(TASK_QUANTUM_MAXIMUM); /* it never ends */
		quantum_spent();
	}
	bool in_time = is_set(&woke);
	task_join(sleeper, NULL);
	CHECK(in_time);
}

/* Busy until somebody asks for an early switch, or for good: does what a check does, on a quantum without
 * end. */
struct busy {
	atomic_bool over;
	_Atomic unsigned started;
	uint64_t end;
};

static intptr_t be_busy(void *argument)
{
	struct busy *busy = argument;
	atomic_fetch_add_explicit(&busy->started, 1, memory_order_release);
	while (!is_set(&busy->over) && heddle_clock() < busy->end)
		if (atomic_fetch_sub_explicit(&processor_current()->quantum, 1, memory_order_relaxed) <= 0)
			quantum_spent();
	return 0;
}

/* A busy task of low priority on each processor from 1 to `count`. Returns how many there are. */
static unsigned busy_start(struct busy *busy, struct task **tasks, unsigned count)
{
	unsigned made = 0;
	busy->end = heddle_clock() + PATIENCE;
	while (made < count && task_start(&tasks[made], be_busy, busy, TASK_QUANTUM_MAXIMUM, PRIORITY_LOW,
	                                  (int)made + 1) == HEDDLE_OK)
		made++;
	while (atomic_load_explicit(&busy->started, memory_order_acquire) < made)
		task_yield();
	return made;
}

/* A higher task for `processor` runs while all others are busy; this one too, but for checks. */
static bool runs_soon(struct busy *busy, int processor)
{
	atomic_bool ran = false;
	struct task *task;
	if (task_start(&task, set_flag, &ran, 0, PRIORITY_HIGH, processor) != HEDDLE_OK)
		return false;
	while (!is_set(&ran) && heddle_clock() < busy->end)
		continue;
	bool in_time = is_set(&ran);
	task_join(task, NULL);
	return in_time;
}

static void check_early_switch(struct test_state *test, unsigned busy_count, int processor)
{
	struct task *tasks[BUSY_MOST];
	struct busy busy = {0};
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK_EQUAL(task_set_priority(PRIORITY_HIGH), HEDDLE_OK);
	CHECK_EQUAL(task_set_quantum(TASK_QUANTUM_MAXIMUM), HEDDLE_OK);
	unsigned made = busy_start(&busy, tasks, busy_count);
	bool all_soon = true;
	for (unsigned round = 0; round < 20; round++)
		all_soon &= runs_soon(&busy, processor);
	set_flag(&busy.over);
	for (unsigned i = 0; i < made; i++)
		task_join(tasks[i], NULL);
	CHECK_EQUAL(made, busy_count);
	CHECK(all_soon);
}

TEST(quantum, early_switch_to_a_bound_task_elsewhere)
{
	if (heddle_processors() < 2) {
		test_skip(test, "needs two processors");
		return;
	}
	check_early_switch(test, 1, 1);
}

TEST(quantum, early_switch_where_a_lower_task_runs)
{
	if (heddle_processors() < 2 || heddle_processors() > BUSY_MOST) {
		test_skip(test, "needs two to eight processors");
		return;
	}
	check_early_switch(test, heddle_processors() - 1, TASK_ANY_PROCESSOR);
}

/* -------------------------------------------------------------------------------- uncooperative regions --
 */

TEST(quantum, uncooperative_region_puts_the_switch_off)
{
	atomic_bool ran = false;
	struct task *other;
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK_EQUAL(task_set_quantum(QUANTUM_SLICE), HEDDLE_OK);
	CHECK_EQUAL(task_set_priority(PRIORITY_HIGH), HEDDLE_OK);
	uncooperative_begin();
	bool made = task_start(&other, set_flag, &ran, 0, PRIORITY_REALTIME, 0) == HEDDLE_OK;
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
	CHECK_EQUAL(task_start(&task, fault_uncooperative, (void *)16, 0, PRIORITY_NORMAL, 0), HEDDLE_OK);
	CHECK_EQUAL(task_join(task, NULL), HEDDLE_TASK_FAULT);
	task_yield();
	CHECK_EQUAL(processor_current()->uncooperative, 0);
}

/* ---------------------------------------------------------------------------------------------- checks -- */

#define OTHERS     63
#define LONG_LOOP  1000000
#define SHORT_LOOP 1000

struct race {
	atomic_bool over;
	_Atomic unsigned before; /* others that came to their end before the long loop */
};

static intptr_t loop_long(void *argument)
{
	struct race *race = argument;
	volatile uint64_t sum = 0;
	for (unsigned i = 0; i < LONG_LOOP; i++)
		sum = sum + i;
	return set_flag(&race->over);
}

static intptr_t loop_short(void *argument)
{
	struct race *race = argument;
	volatile uint64_t sum = 0;
	for (unsigned i = 0; i < SHORT_LOOP; i++)
		sum = sum + i;
	if (!is_set(&race->over))
		atomic_fetch_add_explicit(&race->before, 1, memory_order_relaxed);
	return 0;
}

/* Nobody yields here: only the checks let the others run before the long loop is done. */
TEST(quantum, others_run_beside_a_long_loop)
{
	struct task *tasks[1 + OTHERS];
	struct race race = {0};
	unsigned made = 0;
#ifndef __HEDDLE_PLUGIN__
	test_skip(test, "needs the checks that the compiler's plugin inserts");
	return;
#endif
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	while (made <= OTHERS && task_start(&tasks[made], made == 0 ? loop_long : loop_short, &race,
	                                    QUANTUM_SLICE, PRIORITY_NORMAL, 0) == HEDDLE_OK)
		made++;
	for (unsigned i = 0; i < made; i++)
		task_join(tasks[i], NULL);
	CHECK_EQUAL(made, 1 + OTHERS);
	CHECK_EQUAL(atomic_load_explicit(&race.before, memory_order_relaxed), OTHERS);
}

/* ----------------------------------------------------------------------------------- with checks only -- */

#ifdef __HEDDLE_PLUGIN__
static intptr_t suspend_then_set_flag(void *flag)
{
	task_suspend();
	return set_flag(flag);
}

/* The counter is stored for task_resume(), and what that makes of it is loaded. */
TEST(quantum, makes_way_at_the_next_check)
{
	atomic_bool ran = false;
	struct task *higher;
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK_EQUAL(task_start(&higher, suspend_then_set_flag, &ran, 0, PRIORITY_HIGH, 0), HEDDLE_OK);
	task_yield();
	CHECK_EQUAL(task_set_quantum(TASK_QUANTUM_MAXIMUM), HEDDLE_OK);
	turn_end();
	task_resume(higher);
	for (volatile unsigned i = 0; i < 200 && !is_set(&ran); i = i + 1)
		continue;
	bool soon = is_set(&ran);
	task_join(higher, NULL);
	CHECK(soon);
}

/* The end of a long region begins a quantum, in the register too. */
TEST(quantum, long_regions_do_not_keep_the_processor)
{
	struct turns turns = {0};
	struct task *other;
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK_EQUAL(task_start(&other, take_turns, &turns, 0, PRIORITY_NORMAL, 0), HEDDLE_OK);
	uint64_t end = heddle_clock() + 10000000000;
	while (atomic_load_explicit(&turns.taken, memory_order_relaxed) < 3 && heddle_clock() < end) {
		uncooperative_begin();
		for (volatile unsigned i = 0; i < 30000; i = i + 1)
			continue;
		uncooperative_end();
	}
	set_flag(&turns.over);
	task_join(other, NULL);
	CHECK(atomic_load_explicit(&turns.taken, memory_order_relaxed) >= 3);
}
#endif

/* What only the compiler's checks can do: no task yields here. */
#include "user/test/quantum.h"

#include "heddle/system.h"
#include "user/test/test.h"

static bool lacks_checks(struct test_state *test)
{
#ifndef __HEDDLE_PLUGIN__
	test_skip(test, "needs the checks that the compiler's plugin inserts");
	return true;
#endif
	(void)test;
	return false;
}

#define OTHERS     63
#define LONG_LOOP  1000000
#define TOO_LONG   UINT32_MAX
#define SHORT_LOOP 1000

struct race {
	atomic_bool over;
	_Atomic unsigned before; /* tasks that ended before the long loop */
};

static bool all_have_run(struct race *race)
{
	return atomic_load_explicit(&race->before, memory_order_relaxed) == OTHERS;
}

static intptr_t loop_long(void *argument)
{
	struct race *race = argument;
	volatile uint64_t sum = 0;
	/* With checks that poll a quantum is a time, in which this loop may come to its end. */
	for (unsigned i = 0; i < LONG_LOOP || (i < TOO_LONG && !all_have_run(race)); i++)
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

/* No task yields: only the checks let the others run before the long loop ends. */
TEST(quantum, others_run_beside_a_long_loop)
{
	struct task *tasks[1 + OTHERS];
	struct race race = {0};
	unsigned made = 0;
	if (lacks_checks(test))
		return;
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	while (made <= OTHERS && task_start(&tasks[made], made == 0 ? loop_long : loop_short, &race,
	                                    QUANTUM_SLICE, HEDDLE_PRIORITY_NORMAL, 0) == HEDDLE_OK)
		made++;
	for (unsigned i = 0; i < made; i++)
		task_join(tasks[i], NULL);
	CHECK_EQUAL(made, 1 + OTHERS);
	CHECK(all_have_run(&race));
}

#define COUNTED_LOOP 1000000

static void add(volatile uint64_t *sum)
{
	*sum = *sum + 1;
}

static void (*volatile addition)(volatile uint64_t *sum) = add;
static volatile unsigned additions = 2;

/* Neither its callers are known nor what it calls, so it has a check at its entry. */
static void add_often(volatile uint64_t *sum)
{
	addition(sum);
	for (unsigned i = 0; i < additions; i++)
		addition(sum);
}

static void (*volatile entered)(volatile uint64_t *sum) = add_often;

__attribute__((noinline)) static void loop_alone(volatile uint64_t *sum)
{
	for (unsigned i = 0; i < COUNTED_LOOP; i++)
		*sum = *sum + i;
}

__attribute__((noinline)) static void loop_of_entries(volatile uint64_t *sum)
{
	for (unsigned i = 0; i < COUNTED_LOOP; i++)
		entered(sum);
}

/* How many turns the other task has while this one, with that quantum, runs the loop. */
static unsigned turns_beside(void (*loop)(volatile uint64_t *sum), uint32_t quantum)
{
	struct turns turns = {0};
	struct task *other;
	volatile uint64_t sum = 0;
	if (task_set_quantum(quantum) != HEDDLE_OK ||
	    task_start(&other, take_turns, &turns, 0, HEDDLE_PRIORITY_NORMAL, 0) != HEDDLE_OK)
		return 0;
	turn_end();
	unsigned before = atomic_load_explicit(&turns.taken, memory_order_relaxed);
	loop(&sum);
	unsigned taken = atomic_load_explicit(&turns.taken, memory_order_relaxed) - before;
	set_flag(&turns.over);
	task_join(other, NULL);
	return taken;
}

/* In a loop without entries a slice ends late, at overflow. A short quantum does not, and a long one is charged for it.
 * Entries find the sign of a short one set, and go on. */
TEST(quantum, of_a_loop_is_exact)
{
	if (lacks_checks(test))
		return;
#if defined(__HEDDLE_PLUGIN__) && __HEDDLE_PLUGIN__ == 2
	test_skip(test, "with checks that poll a quantum is a time");
	return;
#endif
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	unsigned shorts = turns_beside(loop_alone, QUANTUM_SLICE / 16);
	unsigned longs = turns_beside(loop_alone, 4 * QUANTUM_SLICE);
	unsigned shorts_of_entries = turns_beside(loop_of_entries, QUANTUM_SLICE / 16);
	CHECK(shorts >= COUNTED_LOOP / (QUANTUM_SLICE / 16));
	CHECK(shorts_of_entries >= shorts && shorts_of_entries < COUNTED_LOOP / 16);
	CHECK(64 * longs >= shorts - shorts / 4 && 64 * longs <= shorts + shorts / 4);
}

static intptr_t suspend_then_set_flag(void *flag)
{
	task_suspend();
	return set_flag(flag);
}

/* The counter is stored for task_resume(), and its new value is loaded. */
TEST(quantum, makes_way_at_the_next_check)
{
	atomic_bool ran = false;
	struct task *higher;
	if (lacks_checks(test))
		return;
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK_EQUAL(task_start(&higher, suspend_then_set_flag, &ran, 0, HEDDLE_PRIORITY_HIGH, 0), HEDDLE_OK);
	task_yield();
	CHECK_EQUAL(task_set_quantum(HEDDLE_TASK_QUANTUM_MAXIMUM), HEDDLE_OK);
	turn_end();
	task_resume(higher);
	for (volatile unsigned i = 0; i < 200 && !is_set(&ran); i = i + 1)
		continue;
	bool soon = is_set(&ran);
	task_join(higher, NULL);
	CHECK(soon);
}

/* The end of a long region begins a quantum, also in the register. */
TEST(quantum, long_regions_do_not_keep_the_processor)
{
	struct turns turns = {0};
	struct task *other;
	if (lacks_checks(test))
		return;
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK_EQUAL(task_start(&other, take_turns, &turns, 0, HEDDLE_PRIORITY_NORMAL, 0), HEDDLE_OK);
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

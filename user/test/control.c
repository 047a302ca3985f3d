/*
 * Control words of the vector and x87 units belong to the task that has changed them, whatever processor it runs on,
 * and to no other task.
 */
#include "arch/arch.h"
#include "heddle/system.h"
#include "heddle/task.h"
#include "sched/scheduler.h"
#include "user/crew.h"
#include "user/test/test.h"

#define CHANGERS 6
#define OTHERS   6
#define ROUNDS   200

/* A different rounding of each unit, by the number of the task. */
static uint64_t control_of(size_t number)
{
	uint64_t rounding = number % 4;
	return ARCH_CONTROL_DEFAULT | rounding << 13 | rounding << (32 + 10);
}

#define THIRD 0x1.5555555555555p-2 /* rounded to nearest, which is below a third */

/* Divide so that the rounding is visible. */
static bool is_rounded(size_t number)
{
	volatile double one = 1, three = 3;
	bool up = one / three > THIRD, down = -one / three < -THIRD;
	return up == (number % 4 == 2) && down == (number % 4 == 1);
}

static intptr_t keep_rounding(size_t number, void *unused)
{
	(void)unused;
	bool changes = number < CHANGERS;
	uint64_t control = changes ? control_of(number) : ARCH_CONTROL_DEFAULT;
	bool kept = arch_control() == ARCH_CONTROL_DEFAULT; /* a new task starts with the defaults */
	if (changes)
		arch_control_set(control);
	for (unsigned round = 0; round < ROUNDS; round++) {
		kept &= is_rounded(changes ? number : 0) && arch_control() == control;
		if (round % 8 == 0)
			task_sleep_until(heddle_clock() + 1000);
		else
			task_yield();
	}
	return kept;
}

TEST(control, is_of_the_task_that_changed_it)
{
	struct crew crew = {.name = "rounding", .function = keep_rounding, .count = CHANGERS + OTHERS};
	intptr_t kept;
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	crew_start(&crew);
	CHECK_EQUAL(crew_join(&crew, &kept), HEDDLE_OK);
	CHECK_EQUAL(kept, CHANGERS + OTHERS);
	CHECK(arch_control() == ARCH_CONTROL_DEFAULT);
}

static intptr_t keep_and_end(void *unused)
{
	const struct task *task = task_current();
	bool before = task->schedule.keeps & ARCH_KEEPS_CONTROL;
	(void)unused;
	task_keep_control();
	task_keep_control();
	return !before && (task->schedule.keeps & ARCH_KEEPS_CONTROL);
}

/* The next task in its memory does not keep them. */
TEST(control, is_kept_until_the_task_ends)
{
	intptr_t kept = 0;
	for (unsigned i = 0; i < 3; i++) {
		struct task *task;
		CHECK_EQUAL(task_create(&task, keep_and_end, NULL, NULL), HEDDLE_OK);
		CHECK_EQUAL(task_join(task, &kept), HEDDLE_OK);
		CHECK_EQUAL(kept, 1);
	}
}

/*
 * Values that belong to a task.
 */
#include "heddle/system.h"
#include "heddle/task.h"
#include "user/crew.h"
#include "user/test/test.h"

/* Set all slots, switch often, and compare; returns the number of errors. */
static intptr_t keep_values(size_t number, void *argument)
{
	intptr_t wrong = 0;
	(void)argument;
	for (unsigned slot = 0; slot < HEDDLE_TASK_LOCAL_SLOTS; slot++) {
		wrong += task_local_get(slot) != NULL;
		task_local_set(slot, (void *)(number * 10 + slot + 1));
	}
	for (unsigned round = 0; round < 50; round++) {
		task_yield();
		for (unsigned slot = 0; slot < HEDDLE_TASK_LOCAL_SLOTS; slot++)
			wrong += task_local_get(slot) != (void *)(number * 10 + slot + 1);
	}
	return wrong;
}

/* The second time the tasks' memory is reused, and the slots must be empty again. */
TEST(local_slots, belong_to_the_task)
{
	for (unsigned round = 0; round < 2; round++) {
		struct crew crew = {.function = keep_values, .count = heddle_processors() + 20};
		intptr_t wrong;
		CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
		crew_start(&crew);
		CHECK_EQUAL(crew_join(&crew, &wrong), HEDDLE_OK);
		CHECK_EQUAL(wrong, 0);
	}
}

TEST(local_slots, go_along_to_another_processor)
{
	task_local_set(0, test);
	for (unsigned i = 0; i < heddle_processors(); i++) {
		CHECK_EQUAL(task_bind((int)i), HEDDLE_OK);
		CHECK(task_local_get(0) == test);
	}
}

TEST(local_slots, out_of_range)
{
	task_local_set(HEDDLE_TASK_LOCAL_SLOTS, test);
	task_local_set(~0u, test);
	CHECK(task_local_get(HEDDLE_TASK_LOCAL_SLOTS) == NULL);
	CHECK(task_local_get(~0u) == NULL);
	for (unsigned slot = 0; slot < HEDDLE_TASK_LOCAL_SLOTS; slot++)
		CHECK(task_local_get(slot) == NULL);
}

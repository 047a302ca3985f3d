/*
 * Memory for user code, and what happens when none is left.
 */
#include "heddle/system.h"
#include "heddle/task.h"
#include "user/test/hoard.h"
#include "user/test/test.h"

TEST(allocate, aligned_and_apart)
{
	static const size_t sizes[] = {1, 63, 64, 65, 4095, 4096, 4097, 100000, 1 << 20};
	enum { SIZES = sizeof(sizes) / sizeof(sizes[0]) };
	unsigned char *blocks[SIZES];
	for (unsigned i = 0; i < SIZES; i++) {
		blocks[i] = heddle_allocate(sizes[i]);
		CHECK(blocks[i] != NULL);
		CHECK_EQUAL((uintptr_t)blocks[i] % 64, 0);
		for (size_t k = 0; k < sizes[i]; k++)
			blocks[i][k] = (unsigned char)(i + 1);
	}
	for (unsigned i = 0; i < SIZES; i++) {
		for (size_t k = 0; k < sizes[i]; k++)
			CHECK_EQUAL(blocks[i][k], i + 1);
		heddle_free(blocks[i], sizes[i]);
	}
}

TEST(allocate, too_much_at_once)
{
	CHECK(heddle_allocate(((size_t)1 << 30) + 1) == NULL);
	CHECK(heddle_allocate(SIZE_MAX) == NULL);
}

TEST(allocate, nothing)
{
	CHECK(heddle_allocate(0) == NULL);
	heddle_free(NULL, 0);
	heddle_free(NULL, 4096);
}

static intptr_t do_nothing(void *argument)
{
	(void)argument;
	return 0;
}

#define TASKS_MAXIMUM 6000

/* When no memory is left, task_create() reports that eventually; the tasks that were created run, and afterwards
 * everything works again. */
TEST(allocate, tasks_without_memory)
{
	static struct task *tasks[TASKS_MAXIMUM];
	struct task_options options = HEDDLE_TASK_OPTIONS;
	struct hoard hoard;
	unsigned made = 0, ended_well = 0;
	enum heddle_error error = HEDDLE_OK;
	options.stack_size = HEDDLE_TASK_STACK_GROWTH; /* few of these are there for reuse */
	hoard_fill(&hoard);
	while (made < TASKS_MAXIMUM && error == HEDDLE_OK) {
		error = task_create(&tasks[made], do_nothing, NULL, &options);
		made += error == HEDDLE_OK;
	}
	for (unsigned i = 0; i < made; i++)
		ended_well += task_join(tasks[i], NULL) == HEDDLE_OK;
	hoard_empty(&hoard);
	CHECK_EQUAL(error, HEDDLE_NO_MEMORY);
	CHECK_EQUAL(ended_well, made);
	CHECK_EQUAL(task_create(&tasks[0], do_nothing, NULL, &options), HEDDLE_OK);
	CHECK_EQUAL(task_join(tasks[0], NULL), HEDDLE_OK);
}

/*
 * Generators in C: what they yield, where their stacks are and how they end.
 */
#include "heddle/generator.h"

#include "heddle/system.h"
#include "heddle/task.h"
#include "user/test/generator.h"
#include "user/test/test.h"

#define DISKS 6

TEST(generator, yields_in_the_stack_of_its_caller)
{
	char stack[HEDDLE_GENERATOR_STACK_DEFAULT];
	struct generator numbers;
	CHECK_EQUAL(generator_create(&numbers, stack, sizeof(stack), count_up, (void *)3), HEDDLE_OK);
	CHECK_EQUAL(generator_value(&numbers), 0);
	for (intptr_t i = 1; i <= 3; i++) {
		CHECK_EQUAL(generator_resume(&numbers), HEDDLE_OK);
		CHECK_EQUAL(generator_value(&numbers), i);
	}
	CHECK_EQUAL(generator_resume(&numbers), HEDDLE_ENDED);
	CHECK_EQUAL(generator_value(&numbers), 0);
	CHECK_EQUAL(generator_destroy(&numbers), HEDDLE_OK);
}

TEST(generator, yields_in_a_stack_of_its_own)
{
	CHECK_EQUAL(sum_of(NULL, 0, count_up, (void *)1000), 500500);
	CHECK_EQUAL(sum_of(NULL, HEDDLE_TASK_STACK_MINIMUM, count_up, (void *)1000), 500500);
	CHECK_EQUAL(sum_of(NULL, HEDDLE_TASK_STACK_GROWTH, count_up, (void *)1000), 500500);
}

TEST(generator, yields_in_memory_of_the_callers_choice)
{
	static char fixed[HEDDLE_GENERATOR_STACK_DEFAULT];
	char *memory = heddle_allocate(8192);
	CHECK(memory);
	/* Memory of any alignment. */
	int64_t sum = 0;
	for (size_t offset = 0; offset < 70; offset++)
		sum += sum_of(memory + offset, 8192 - 2 * offset, count_up, (void *)10);
	heddle_free(memory, 8192);
	CHECK_EQUAL(sum, 70 * 55);
	CHECK_EQUAL(sum_of(fixed, sizeof(fixed), count_up, (void *)10), 55);
}

TEST(generator, may_yield_nothing)
{
	CHECK_EQUAL(sum_of(NULL, 0, count_up, (void *)0), 0);
}

/* ----------------------------------------------------------------------------------------- recursion -- */

static uint64_t mixed(uint64_t hash, uint64_t value)
{
	return (hash ^ value) * UINT64_C(0x100000001b3);
}

static void move_and_mix(unsigned disks, unsigned from, unsigned to, unsigned by, uint64_t *hash)
{
	if (disks == 0)
		return;
	move_and_mix(disks - 1, from, by, to, hash);
	*hash = mixed(*hash, disks * 16 + from * 4 + to);
	move_and_mix(disks - 1, by, to, from, hash);
}

static void move_and_yield(struct generator_body *self, unsigned disks, unsigned from, unsigned to,
                           unsigned by)
{
	if (disks == 0)
		return;
	move_and_yield(self, disks - 1, from, by, to);
	generator_yield(self, disks * 16 + from * 4 + to);
	move_and_yield(self, disks - 1, by, to, from);
}

static void move_all(struct generator_body *self, void *disks)
{
	move_and_yield(self, (unsigned)(uintptr_t)disks, 0, 1, 2);
}

static uint64_t hash_of_moves(void *stack, size_t size)
{
	struct generator moves;
	uint64_t hash = 0;
	if (generator_create(&moves, stack, size, move_all, (void *)DISKS) != HEDDLE_OK)
		return 0;
	while (generator_resume(&moves) == HEDDLE_OK)
		hash = mixed(hash, (uint64_t)generator_value(&moves));
	generator_destroy(&moves);
	return hash;
}

TEST(generator, yields_from_recursion)
{
	uint64_t expected = 0;
	char stack[HEDDLE_GENERATOR_STACK_DEFAULT];
	move_and_mix(DISKS, 0, 1, 2, &expected);
	CHECK_EQUAL(hash_of_moves(stack, sizeof(stack)), expected);
	CHECK_EQUAL(hash_of_moves(NULL, 0), expected);
}

/* ------------------------------------------------------------------------------------------- several -- */

#define SEVERAL 8

TEST(generator, several_at_once)
{
	static char stacks[SEVERAL][HEDDLE_GENERATOR_STACK_DEFAULT];
	struct generator numbers[SEVERAL];
	intptr_t sums[SEVERAL] = {0};
	for (uintptr_t i = 0; i < SEVERAL; i++)
		CHECK_EQUAL(generator_create(&numbers[i], i % 2 ? stacks[i] : NULL, i % 2 ? sizeof(stacks[i]) : 0,
		                             count_up, (void *)(10 * i)),
		            HEDDLE_OK);
	for (unsigned running = SEVERAL; running > 0;) {
		for (unsigned i = 0; i < SEVERAL; i++) {
			if (!numbers[i].body)
				continue;
			if (generator_resume(&numbers[i]) == HEDDLE_OK) {
				sums[i] += generator_value(&numbers[i]);
			} else {
				running--;
				CHECK_EQUAL(generator_destroy(&numbers[i]), HEDDLE_OK);
			}
		}
	}
	for (intptr_t i = 0; i < SEVERAL; i++)
		CHECK_EQUAL(sums[i], 10 * i * (10 * i + 1) / 2);
}

/* Takes the values of another generator, from inside itself. */
static void yield_squares(struct generator_body *self, void *numbers)
{
	while (generator_resume(numbers) == HEDDLE_OK)
		generator_yield(self, generator_value(numbers) * generator_value(numbers));
}

/* One generator is resumed in turn by the task, by another generator and by one inside that. */
TEST(generator, resumed_from_different_stacks)
{
	char stack[HEDDLE_GENERATOR_STACK_DEFAULT];
	struct generator numbers, squares, fourth_powers;
	CHECK_EQUAL(generator_create(&numbers, stack, sizeof(stack), count_up, (void *)9), HEDDLE_OK);
	CHECK_EQUAL(generator_create(&squares, NULL, 0, yield_squares, &numbers), HEDDLE_OK);
	CHECK_EQUAL(generator_create(&fourth_powers, NULL, 0, yield_squares, &squares), HEDDLE_OK);
	for (intptr_t i = 1; i <= 9; i += 3) {
		CHECK_EQUAL(generator_resume(&numbers), HEDDLE_OK);
		CHECK_EQUAL(generator_value(&numbers), i);
		CHECK_EQUAL(generator_resume(&squares), HEDDLE_OK);
		CHECK_EQUAL(generator_value(&squares), (i + 1) * (i + 1));
		CHECK_EQUAL(generator_resume(&fourth_powers), HEDDLE_OK);
		CHECK_EQUAL(generator_value(&fourth_powers), (i + 2) * (i + 2) * (i + 2) * (i + 2));
	}
	CHECK_EQUAL(generator_resume(&fourth_powers), HEDDLE_ENDED);
	CHECK_EQUAL(generator_destroy(&fourth_powers), HEDDLE_OK);
	CHECK_EQUAL(generator_destroy(&squares), HEDDLE_OK);
	CHECK_EQUAL(generator_destroy(&numbers), HEDDLE_OK);
}

/* What is live before a switch is there again after it, whatever the other side does with the registers. */
static void yield_sums(struct generator_body *self, void *rounds)
{
	double a = 0.5, b = 1.25, c = -3;
	int64_t d = 1, e = 2, f = 3, g = 4, h = 5;
	for (uintptr_t i = 0; i < (uintptr_t)rounds; i++) {
		a += 1, b += 2, c += 3, d += e, e += f, f += g, g += h, h += 1;
		generator_yield(self, d + e + f + g + h + (int64_t)(a + b + c));
	}
}

TEST(generator, registers_survive)
{
	struct generator sums;
	double a = 0.5, b = 1.25, c = -3, x = 1;
	int64_t d = 1, e = 2, f = 3, g = 4, h = 5;
	CHECK_EQUAL(generator_create(&sums, NULL, 0, yield_sums, (void *)100), HEDDLE_OK);
	while (generator_resume(&sums) == HEDDLE_OK) {
		a += 1, b += 2, c += 3, d += e, e += f, f += g, g += h, h += 1, x *= 1.5;
		CHECK_EQUAL(generator_value(&sums), d + e + f + g + h + (int64_t)(a + b + c));
	}
	CHECK(x > 4e17 && x < 5e17);
	CHECK_EQUAL(generator_destroy(&sums), HEDDLE_OK);
}

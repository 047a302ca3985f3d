/*
 * The moves of the towers of Hanoi, yielded by a recursive function inside a generator (switching paper, Figure 13),
 * compared with a call of a function for each move.
 */
#include "heddle/generator.h"
#include "heddle/program.h"
#include "user/bench/generators.h"

#define APART __attribute__((noinline, noclone))

typedef void (*take_move)(void *argument, uint64_t move);

APART static void call_back(uint64_t disks, uint64_t from, uint64_t to, uint64_t by, take_move function,
                            void *argument)
{
	if (disks == 0)
		return;
	call_back(disks - 1, from, by, to, function, argument);
	function(argument, hanoi_move(disks, from, to));
	call_back(disks - 1, by, to, from, function, argument);
}

APART static void add(void *sum, uint64_t move)
{
	*(uint64_t *)sum += move;
}

APART static uint64_t sum_callback(uint64_t disks)
{
	uint64_t sum = 0;
	call_back(disks, 1, 2, 3, add, &sum);
	return sum;
}

APART static void yield_moves(struct generator_body *self, uint64_t disks, uint64_t from, uint64_t to,
                              uint64_t by)
{
	if (disks == 0)
		return;
	yield_moves(self, disks - 1, from, by, to);
	generator_yield(self, (intptr_t)hanoi_move(disks, from, to));
	yield_moves(self, disks - 1, by, to, from);
}

static void move_all(struct generator_body *self, void *disks)
{
	yield_moves(self, (uintptr_t)disks, 1, 2, 3);
}

APART static uint64_t sum_generator(void *stack, size_t bytes, uint64_t disks)
{
	struct generator moves;
	uint64_t sum = 0;
	if (generator_create(&moves, stack, bytes, move_all, (void *)disks) != HEDDLE_OK)
		return 0;
	while (generator_resume(&moves) == HEDDLE_OK)
		sum += (uint64_t)generator_value(&moves);
	generator_destroy(&moves);
	return sum;
}

static uint64_t sum_in_stack(uint64_t disks)
{
	char stack[GENERATORS_STACK];
	return sum_generator(stack, sizeof(stack), disks);
}

static uint64_t sum_own_stack(uint64_t disks)
{
	return sum_generator(NULL, 0, disks);
}

static bool run(struct program_run *run)
{
	static const struct generators_form forms[] = {
	    {"callback", sum_callback}, {"in-stack", sum_in_stack},           {"own-stack", sum_own_stack},
	    {"range", hanoi_range},     {"range-own-stack", hanoi_range_own}, {NULL, NULL}};
	uint64_t disks = program_value(run, "disks");
	uint64_t moves = (UINT64_C(1) << disks) - 1;
	return generators_measure(run, forms, disks, moves, sum_callback(disks));
}

static const struct program_parameter parameters[] = {
    {"disks", 16, 1, 24, "of the tower; the moves are 2 to the power of that, minus 1"},
    {"rounds", 10, 1, 1000000, "how often each form moves them all"},
    {0}};

HEDDLE_PROGRAM(hanoi, "a recursion that yields, beside callbacks (switching paper, Figure 13)", parameters,
               run);

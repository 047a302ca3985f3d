/*
 * The forms of `sequence` and `hanoi` in C++: a range-for over a generator.
 */
#include "heddle/generator.hpp"
#include "user/bench/generators.h"

namespace
{

using moves = heddle::yielder<uint64_t>;

template <class... Stack> [[gnu::noinline]] uint64_t sum_sequence(uint64_t size, Stack &...stack)
{
	uint64_t sum = 0;
	heddle::generator<uint64_t> numbers(stack..., [size](auto yield) {
		for (uint64_t i = size; i > 0; i--)
			yield(i);
	});
	for (uint64_t number : numbers)
		sum += number;
	return sum;
}

[[gnu::noinline]] void yield_moves(moves yield, uint64_t disks, uint64_t from, uint64_t to, uint64_t by)
{
	if (disks == 0)
		return;
	yield_moves(yield, disks - 1, from, by, to);
	yield(hanoi_move(disks, from, to));
	yield_moves(yield, disks - 1, by, to, from);
}

template <class... Stack> [[gnu::noinline]] uint64_t sum_moves(uint64_t disks, Stack &...stack)
{
	uint64_t sum = 0;
	heddle::generator<uint64_t> all(stack..., [disks](moves yield) { yield_moves(yield, disks, 1, 2, 3); });
	for (uint64_t move : all)
		sum += move;
	return sum;
}

} // namespace

uint64_t sequence_range(uint64_t size)
{
	heddle::generator_stack<GENERATORS_STACK> stack;
	return sum_sequence(size, stack);
}

uint64_t sequence_range_own(uint64_t size)
{
	return sum_sequence(size);
}

uint64_t hanoi_range(uint64_t disks)
{
	heddle::generator_stack<GENERATORS_STACK> stack;
	return sum_moves(disks, stack);
}

uint64_t hanoi_range_own(uint64_t disks)
{
	return sum_moves(disks);
}

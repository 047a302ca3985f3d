/* Moves of Hanoi from std::generator, which hands out the values of those inside it in one step. */
#include <generator>

#include "common/generate.hpp"

namespace
{

std::generator<uint64_t> moves(uint64_t disks, uint64_t from, uint64_t to, uint64_t by)
{
	if (disks == 0)
		co_return;
	co_yield std::ranges::elements_of(moves(disks - 1, from, by, to));
	co_yield generate::hanoi_move(disks, from, to);
	co_yield std::ranges::elements_of(moves(disks - 1, by, to, from));
}

[[gnu::noinline]] uint64_t sum_of(uint64_t disks)
{
	uint64_t sum = 0;
	for (uint64_t move : moves(disks, 1, 2, 3))
		sum += move;
	return sum;
}

} // namespace

int main(int argc, char **argv)
{
	return generate::hanoi(argc, argv, "cpp23", sum_of);
}

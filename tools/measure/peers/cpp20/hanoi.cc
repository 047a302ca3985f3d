/*
 * Moves of Hanoi from C++20 coroutines. Each hands on every value of the coroutines inside it, so a move takes as
 * many steps as they are nested deep.
 */
#include "common/generate.hpp"
#include "cpp20/generator.hpp"

namespace
{

cpp20::generator moves(uint64_t disks, uint64_t from, uint64_t to, uint64_t by)
{
	if (disks == 0)
		co_return;
	for (cpp20::generator before = moves(disks - 1, from, by, to); before.next();)
		co_yield before.value();
	co_yield generate::hanoi_move(disks, from, to);
	for (cpp20::generator after = moves(disks - 1, by, to, from); after.next();)
		co_yield after.value();
}

[[gnu::noinline]] uint64_t sum_of(uint64_t disks)
{
	return generate::total(moves(disks, 1, 2, 3));
}

} // namespace

int main(int argc, char **argv)
{
	return generate::hanoi(argc, argv, "cpp20", sum_of);
}

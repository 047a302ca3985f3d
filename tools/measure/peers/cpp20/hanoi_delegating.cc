/* The same as hanoi.cc with a generator that hands out another's values in one step. */
#include "common/generate.hpp"
#include "cpp20/delegating.hpp"

namespace
{

cpp20::delegating moves(uint64_t disks, uint64_t from, uint64_t to, uint64_t by)
{
	if (disks == 0)
		co_return;
	co_yield moves(disks - 1, from, by, to);
	co_yield generate::hanoi_move(disks, from, to);
	co_yield moves(disks - 1, by, to, from);
}

[[gnu::noinline]] uint64_t sum_of(uint64_t disks)
{
	return generate::total(moves(disks, 1, 2, 3));
}

} // namespace

int main(int argc, char **argv)
{
	return generate::hanoi(argc, argv, "cpp20-delegating", sum_of);
}

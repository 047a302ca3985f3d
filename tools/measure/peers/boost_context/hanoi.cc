/* Moves of Hanoi from a function that recurs inside a fiber of Boost.Context, as user/bench/hanoi.c. */
#include "boost_context/generator.hpp"
#include "common/generate.hpp"

namespace
{

[[gnu::noinline]] void moves(boost_context::generator &self, uint64_t disks, uint64_t from, uint64_t to,
                             uint64_t by)
{
	if (disks == 0)
		return;
	moves(self, disks - 1, from, by, to);
	self.yield(generate::hanoi_move(disks, from, to));
	moves(self, disks - 1, by, to, from);
}

[[gnu::noinline]] uint64_t sum_of(uint64_t disks)
{
	boost_context::generator all([disks](boost_context::generator &self) { moves(self, disks, 1, 2, 3); });
	return generate::total(all);
}

} // namespace

int main(int argc, char **argv)
{
	return generate::hanoi(argc, argv, "boost-context", sum_of);
}

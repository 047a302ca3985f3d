/* Moves of Hanoi from a function that recurs inside a coroutine of Boost.Coroutine2, as user/bench/hanoi.c. */
#include <boost/coroutine2/all.hpp>

#include "common/generate.hpp"

namespace
{

using coroutine = boost::coroutines2::coroutine<uint64_t>;

[[gnu::noinline]] void moves(coroutine::push_type &yield, uint64_t disks, uint64_t from, uint64_t to,
                             uint64_t by)
{
	if (disks == 0)
		return;
	moves(yield, disks - 1, from, by, to);
	yield(generate::hanoi_move(disks, from, to));
	moves(yield, disks - 1, by, to, from);
}

[[gnu::noinline]] uint64_t sum_of(uint64_t disks)
{
	coroutine::pull_type all([disks](coroutine::push_type &yield) { moves(yield, disks, 1, 2, 3); });
	uint64_t sum = 0;
	for (; all; all())
		sum += all.get();
	return sum;
}

} // namespace

int main(int argc, char **argv)
{
	return generate::hanoi(argc, argv, "boost-coroutine2", sum_of);
}

/* Numbers from a coroutine of Boost.Coroutine2, as user/bench/sequence.c. */
#include <boost/coroutine2/all.hpp>

#include "common/generate.hpp"

namespace
{

using coroutine = boost::coroutines2::coroutine<uint64_t>;

[[gnu::noinline]] uint64_t sum_of(uint64_t size)
{
	coroutine::pull_type numbers([size](coroutine::push_type &yield) {
		for (uint64_t i = size; i != 0; --i)
			yield(i);
	});
	uint64_t sum = 0;
	for (; numbers; numbers())
		sum += numbers.get();
	return sum;
}

} // namespace

int main(int argc, char **argv)
{
	return generate::sequence(argc, argv, "boost-coroutine2", sum_of);
}

/* Numbers from a C++20 coroutine, as user/bench/sequence.c, in the form of a for loop. */
#include "common/generate.hpp"
#include "cpp20/generator.hpp"

namespace
{

[[gnu::noinline]] cpp20::generator count_down(uint64_t size)
{
	for (; size != 0; --size)
		co_yield size;
}

[[gnu::noinline]] uint64_t sum_of(uint64_t size)
{
	return generate::total(count_down(size));
}

} // namespace

int main(int argc, char **argv)
{
	return generate::sequence(argc, argv, "cpp20", sum_of);
}

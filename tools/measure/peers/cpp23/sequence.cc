/* Numbers from std::generator, as user/bench/sequence.c. */
#include <generator>

#include "common/generate.hpp"

namespace
{

[[gnu::noinline]] std::generator<uint64_t> count_down(uint64_t size)
{
	for (; size != 0; --size)
		co_yield size;
}

[[gnu::noinline]] uint64_t sum_of(uint64_t size)
{
	uint64_t sum = 0;
	for (uint64_t number : count_down(size))
		sum += number;
	return sum;
}

} // namespace

int main(int argc, char **argv)
{
	return generate::sequence(argc, argv, "cpp23", sum_of);
}

/* Numbers from a fiber of Boost.Context, as user/bench/sequence.c. */
#include "boost_context/generator.hpp"
#include "common/generate.hpp"

namespace
{

[[gnu::noinline]] uint64_t sum_of(uint64_t size)
{
	boost_context::generator numbers([size](boost_context::generator &self) {
		for (uint64_t i = size; i != 0; --i)
			self.yield(i);
	});
	return generate::total(numbers);
}

} // namespace

int main(int argc, char **argv)
{
	return generate::sequence(argc, argv, "boost-context", sum_of);
}

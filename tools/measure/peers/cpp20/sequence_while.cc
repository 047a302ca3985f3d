/* sequence.cc with a while loop, for which the compiler makes other code (switching paper, Figure 2). */
#include "common/generate.hpp"
#include "cpp20/generator.hpp"

namespace
{

[[gnu::noinline]] cpp20::generator count_down(uint64_t size)
{
	while (size)
		co_yield size--;
}

[[gnu::noinline]] uint64_t sum_of(uint64_t size)
{
	return generate::total(count_down(size));
}

} // namespace

int main(int argc, char **argv)
{
	return generate::sequence(argc, argv, "cpp20-while", sum_of);
}

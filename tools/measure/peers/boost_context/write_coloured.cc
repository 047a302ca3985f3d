/* As write.cc, with stacks that begin in different sets of the cache. */
#include "boost_context/write.hpp"

int main(int argc, char **argv)
{
	return bench::write_measure(argc, argv, "boost-context-coloured", [](auto &connections, uint64_t length) {
		return boost_context::write_all(connections, length, true);
	});
}

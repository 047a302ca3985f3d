/* Files sent through a chain of calls that yields each time, as user/bench/write.c. */
#include "boost_context/write.hpp"

int main(int argc, char **argv)
{
	return bench::write_measure(argc, argv, "boost-context", [](auto &connections, uint64_t length) {
		return boost_context::write_all(connections, length, false);
	});
}

/* Files sent through a chain of calls that yields each time, as user/bench/write.c. */
#include "cpp20/write.hpp"

int main(int argc, char **argv)
{
	return bench::write_measure(argc, argv, "cpp20", [](auto &connections, uint64_t length) {
		return cpp20::write_all(connections, length, false);
	});
}

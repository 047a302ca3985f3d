/* As write.cc, with frames from a pool. */
#include "cpp20/write.hpp"

int main(int argc, char **argv)
{
	return bench::write_measure(argc, argv, "cpp20-pooled", [](auto &connections, uint64_t length) {
		return cpp20::write_all(connections, length, true);
	});
}

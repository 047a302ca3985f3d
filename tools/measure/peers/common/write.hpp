/*
 * What the peers' `write` share, as in user/bench/write.c: the far end of a connection, which takes a limited
 * number of bytes at once and notes whether they come in order; and the measurement.
 */
#ifndef PEERS_COMMON_WRITE_HPP
#define PEERS_COMMON_WRITE_HPP

#include <vector>

#include "common/bench.hpp"

namespace bench
{

struct connection {
	uint64_t room = 0, sent = 0, calls = 0, misplaced = 0;

	uint64_t take(uint64_t offset, uint64_t count)
	{
		uint64_t taken = count < room ? count : room;
		misplaced += offset != sent;
		sent += taken;
		calls++;
		return taken;
	}
};

/* `serve` has a file of that many bytes written to each connection, by a task each, and returns the time. */
template <class Serve> int write_measure(int argc, char **argv, const char *peer, Serve serve)
{
	parameters given(argc, argv, {{"tasks", 10}, {"megabytes", 100}, {"size", 800}});
	uint64_t length = given["megabytes"] * 1000000, size = given["size"], tasks = given["tasks"];
	uint64_t calls = (length + size - 1) / size;
	if (given["processors"] != 1)
		fail("processors: these tasks run on 1");
	auto turn = [=] {
		std::vector<connection> connections(tasks, connection{size});
		uint64_t nanoseconds = serve(connections, length);
		for (const connection &each : connections)
			if (each.sent != length || each.calls != calls || each.misplaced)
				return uint64_t(0);
		return nanoseconds;
	};
	return measure("write", peer, tasks * calls, turn);
}

} // namespace bench

#endif

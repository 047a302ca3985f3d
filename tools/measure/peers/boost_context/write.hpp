/* Files sent through a chain of calls that yields each time, as user/bench/write.c. */
#ifndef PEERS_BOOST_CONTEXT_WRITE_HPP
#define PEERS_BOOST_CONTEXT_WRITE_HPP

#include "boost_context/scheduler.hpp"
#include "common/write.hpp"

namespace boost_context
{

inline scheduler *writers;

[[gnu::noinline]] inline void wait_for_ready(bench::connection &)
{
	writers->yield();
}

[[gnu::noinline]] inline uint64_t send_some(bench::connection &to, uint64_t offset, uint64_t count)
{
	wait_for_ready(to);
	return to.take(offset, count);
}

[[gnu::noinline]] inline void write_fully(bench::connection &to, uint64_t length)
{
	for (uint64_t offset = 0; offset < length;)
		offset += send_some(to, offset, length - offset);
}

inline uint64_t write_all(std::vector<bench::connection> &connections, uint64_t length, bool is_coloured)
{
	scheduler tasks;
	writers = &tasks;
	tasks.is_coloured = is_coloured;
	for (bench::connection &each : connections)
		tasks.add([&each, length] { write_fully(each, length); });
	uint64_t start = bench::clock();
	tasks.run();
	return bench::clock() - start;
}

} // namespace boost_context

#endif

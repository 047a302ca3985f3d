/* Producers and consumers around a channel, as user/bench/producer.c with lock=channel. A channel of Boost.Fiber
 * has a power of two of places, of which one stays free. */
#include "threads/market.hpp"

int main(int argc, char **argv)
{
	bench::parameters given(argc, argv, {{"pairs", 1}, {"rounds", 10000}, {"size", 16}});
	uint64_t pairs = given["pairs"], rounds = given["rounds"], size = given["size"];
	if (size < 2 || (size & (size - 1)) != 0)
		bench::fail("size: a power of two, from 2 on");
	auto turn = [=] {
		boost::fibers::buffered_channel<message> channel(size);
		return market(pairs, rounds)
		    .run([&](message sent) { channel.push(sent); }, [&] { return channel.value_pop(); });
	};
	return runtime::run(given["processors"],
	                    [&] { return bench::measure("stream", runtime::name, pairs * rounds, turn); });
}

/* Producers and consumers around a monitor, as user/bench/producer.c. */
#include "threads/market.hpp"

namespace
{

class buffer
{
	runtime::mutex mutex;
	runtime::condition has_room, has_some;
	std::vector<message> messages;
	uint64_t put_count = 0, taken = 0;

  public:
	explicit buffer(uint64_t capacity) : messages(capacity)
	{
	}

	void put(message sent)
	{
		guard lock(mutex);
		has_room.wait(lock, [this] { return put_count - taken < messages.size(); });
		messages[put_count++ % messages.size()] = sent;
		has_some.notify_one();
	}

	message take()
	{
		guard lock(mutex);
		has_some.wait(lock, [this] { return put_count != taken; });
		message got = messages[taken++ % messages.size()];
		has_room.notify_one();
		return got;
	}
};

} // namespace

int main(int argc, char **argv)
{
	bench::parameters given(argc, argv, {{"pairs", 1}, {"rounds", 10000}, {"size", 10}});
	uint64_t pairs = given["pairs"], rounds = given["rounds"], size = given["size"];
	auto turn = [=] {
		buffer shared(size);
		return market(pairs, rounds)
		    .run([&](message sent) { shared.put(sent); }, [&] { return shared.take(); });
	};
	return runtime::run(given["processors"],
	                    [&] { return bench::measure("producer", runtime::name, pairs * rounds, turn); });
}

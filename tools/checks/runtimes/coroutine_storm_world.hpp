/* What all members of the storm use, and what must hold of it when they have ended. */
#ifndef CHECKS_RUNTIMES_COROUTINE_STORM_WORLD_HPP
#define CHECKS_RUNTIMES_COROUTINE_STORM_WORLD_HPP

#include <deque>
#include <memory>
#include <random>

#include "coroutine_test.hpp"

namespace
{

constexpr std::size_t MEMBERS = 24, PERMITS = 5;

using random_numbers = std::minstd_rand;

/* A cancellation that is replaced where it was requested. */
struct changing {
	co::word word;
	std::shared_ptr<co::cancellation> own = std::make_shared<co::cancellation>();

	std::shared_ptr<co::cancellation> get()
	{
		co::hold held(word);
		return own;
	}

	std::shared_ptr<co::cancellation> fresh()
	{
		co::hold held(word);
		if (own->is_requested())
			own = std::make_shared<co::cancellation>();
		return own;
	}
};

struct world {
	many &first, &second;
	uint64_t seed;
	std::atomic<bool> ends{false};
	std::atomic<uint64_t> actions{0}, cancelled{0}, sent{0}, received{0}, put{0}, got{0}, thrown{0};
	std::atomic<std::size_t> members{MEMBERS};
	changing cancellations[MEMBERS];
	co::mutex mutex;
	inside in_mutex;
	co::shared_mutex shared;
	inside in_shared;
	co::semaphore permits{PERMITS};
	std::atomic<int> free{PERMITS};
	co::event event;
	co::channel<uint64_t> narrow{0}, wide{3};
	co::mutex buffer_mutex;
	co::condition is_some, is_room;
	std::deque<uint64_t> buffer;
	std::atomic<uint64_t> sections{0}, writes{0};

	world(many &one, many &other, uint64_t from) : first(one), second(other), seed(from)
	{
	}
};

void all_is_as_it_was(world &all)
{
	check(all.mutex.try_lock() && all.in_mutex.saw(all.sections),
	      "mutex: a section was lost, or two were inside");
	all.mutex.unlock_dispatch();
	check(all.shared.try_lock() && all.in_shared.saw(all.writes), "shared mutex: a writer was not alone");
	all.shared.unlock_dispatch();
	check(all.free == PERMITS && all.permits.try_acquire(PERMITS) && !all.permits.try_acquire(),
	      "permits were lost");
	check(all.buffer_mutex.try_lock() && all.put == all.got + all.buffer.size(),
	      "condition: an item was lost");
	all.buffer_mutex.unlock_dispatch();
	for (auto *channel : {&all.narrow, &all.wide})
		while (auto message = channel->try_receive())
			all.received += *message;
	check(all.sent == all.received, "channel: a message was lost or came twice");
}

} // namespace

#endif

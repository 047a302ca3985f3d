/*
 * heddle/coroutine.hpp: everything at once and at random, on two executors, with waits that are cancelled at any
 * moment, exceptions and channels that are closed; beside it, on one thread, coroutines that are destroyed while they
 * wait (coroutine_storm_ends.hpp). What must hold is checked all along and at the end.
 *
 *     coroutine_storm SEED SECONDS [words of the machine]
 *
 * Some waits can be cancelled, others must be ended by what they wait for. One coroutine requests cancellations all
 * the time, and counts its turns without progress of the members: after many of them the storm is stuck.
 * What stops that coroutine, too, hangs, which is for the caller to see.
 */
#include <chrono>
#include <stdexcept>

#include "coroutine_storm_ends.hpp"
#include "coroutine_storm_world.hpp"

namespace
{

constexpr uint64_t IDLE = 1000, STUCK_AFTER = 60000; // turns without progress; between them it sleeps

/* One of those that do everything. */
class member
{
	world &all;
	std::size_t number;
	random_numbers random;

	unsigned below(unsigned limit)
	{
		return static_cast<unsigned>(random()) % limit;
	}

	void count(bool done)
	{
		all.cancelled += !done;
	}

	co::task<> linger()
	{
		switch (below(6)) {
		case 0:
			co_await co::yield();
			break;
		case 1:
			co_await co::resume_on(all.second);
			break;
		case 2:
			co_await co::resume_on(all.first);
			break;
		}
	}

	co::task<> section()
	{
		all.in_mutex.enter();
		co_await linger();
		all.in_mutex.leave();
		all.sections++;
		if (below(8) == 0)
			throw std::runtime_error("inside");
	}

	co::task<> mutex_scoped()
	{
		auto by = all.cancellations[number].fresh();
		auto held = co_await co::cancellable(*by, all.mutex.scoped());
		count(static_cast<bool>(held));
		if (!held)
			co_return;
		co_await section();
		if (below(2))
			co_await held.unlock();
	}

	co::task<> mutex_plain()
	{
		if (below(3) == 0 || !all.mutex.try_lock())
			co_await all.mutex.lock();
		all.in_mutex.enter();
		co_await linger();
		all.in_mutex.leave();
		all.sections++;
		if (below(2))
			co_await all.mutex.unlock();
		else
			all.mutex.unlock_dispatch();
	}

	co::task<> shared_mutex(bool writes, bool can_be_cancelled)
	{
		auto by = all.cancellations[number].fresh();
		bool done = true;
		auto lock = [&] { return writes ? all.shared.lock() : all.shared.lock_shared(); };
		if (can_be_cancelled)
			done = co_await co::cancellable(*by, lock());
		else
			co_await lock();
		count(done);
		if (!done)
			co_return;
		if (writes)
			all.in_shared.enter(), all.writes++;
		co_await linger();
		if (writes)
			all.in_shared.leave();
		else
			all.in_shared.look();
		co_await (writes ? all.shared.unlock() : all.shared.unlock_shared());
	}

	co::task<> semaphore(bool can_be_cancelled)
	{
		auto by = all.cancellations[number].fresh();
		int amount = static_cast<int>(below(PERMITS)) + 1;
		bool done = true;
		if (can_be_cancelled)
			done = co_await co::cancellable(*by, all.permits.acquire(static_cast<std::size_t>(amount)));
		else
			co_await all.permits.acquire(static_cast<std::size_t>(amount));
		count(done);
		if (!done)
			co_return;
		check((all.free -= amount) >= 0, "semaphore: more permits were taken than there are");
		co_await linger();
		all.free += amount;
		co_await all.permits.release(static_cast<std::size_t>(amount));
	}

	/* Each puts once and takes once, or neither, so none waits for ever; a wait ends by a request, too. */
	co::task<> buffer()
	{
		auto by = all.cancellations[number].fresh();
		bool puts = below(2);
		auto held = co_await all.buffer_mutex.scoped();
		auto &condition = puts ? all.is_room : all.is_some;
		while (puts ? all.buffer.size() >= 4 : all.buffer.empty()) {
			if (co_await co::cancellable(*by, condition.wait(all.buffer_mutex)))
				continue;
			all.cancelled++;
			co_return;
		}
		if (puts)
			all.buffer.push_back(1), all.put++;
		else
			all.buffer.pop_front(), all.got++;
		auto &other = puts ? all.is_some : all.is_room;
		if (below(2))
			co_await other.notify_one();
		else
			other.notify_all_dispatch();
		co_await held.unlock();
	}

	co::task<> channel()
	{
		auto by = all.cancellations[number].fresh();
		auto &used = below(2) ? all.narrow : all.wide;
		uint64_t message = below(1000) + 1;
		if (below(2)) {
			bool done = below(4) ? co_await co::cancellable(*by, used.send(message)) : used.try_send(message);
			count(done);
			all.sent += done ? message : 0;
			co_return;
		}
		auto found = below(4) ? co_await co::cancellable(*by, used.receive()) : used.try_receive();
		count(found.has_value());
		all.received += found.value_or(0);
	}

	co::task<> event()
	{
		auto by = all.cancellations[number].fresh();
		switch (below(4)) {
		case 0:
			co_await all.event.set();
			break;
		case 1:
			all.event.reset();
			break;
		default:
			count(co_await co::cancellable(*by, all.event.wait()));
		}
	}

	/* Others of its own, that meet again and again, then send what they have seen, and close. */
	static co::task<> meets(world &, co::barrier &barrier, std::atomic<unsigned> &arrived,
	                        co::channel<unsigned> &to, co::latch &left)
	{
		for (unsigned round = 1; round <= 3; round++) {
			arrived++;
			co_await barrier.arrive_and_wait();
			check(arrived >= 3 * round, "barrier: one left before all had come");
			check(co_await to.send(round), "an open channel refused a message");
			co_await barrier.arrive_and_wait();
		}
		co_await left.arrive_and_wait();
	}

	co::task<> meeting()
	{
		co::barrier barrier(3);
		co::latch left(3), gone(3);
		co::channel<unsigned> channel(below(3));
		std::atomic<unsigned> arrived{0};
		auto alone = [](co::task<> own, co::latch &end) -> co::task<> {
			co_await std::move(own);
			end.count_down_dispatch();
		};
		for (unsigned i = 0; i < 3; i++)
			co::spawn(i ? co::executor(all.first) : co::executor(all.second),
			          alone(meets(all, barrier, arrived, channel, left), gone));
		unsigned sum = 0;
		for (unsigned i = 0; i < 9; i++)
			sum += (co_await channel.receive()).value_or(0);
		co_await channel.close();
		check(sum == 18 && !co_await channel.receive(), "a message was lost or came twice");
		co_await gone.wait();
	}

	co::task<> action()
	{
		switch (below(9)) {
		case 0:
			return mutex_scoped();
		case 1:
			return mutex_plain();
		case 2:
		case 3:
			return shared_mutex(below(3) == 0, below(2));
		case 4:
			return semaphore(below(2));
		case 5:
			return buffer();
		case 6:
			return channel();
		case 7:
			return event();
		default:
			return meeting();
		}
	}

  public:
	member(world &of, std::size_t which)
	    : all(of), number(which), random(static_cast<unsigned>(of.seed * MEMBERS + which + 1))
	{
	}

	co::task<> acts()
	{
		while (!all.ends) {
			try {
				co_await action();
			} catch (const std::runtime_error &) {
				all.thrown++;
			}
			all.actions++;
			co_await linger();
		}
		all.members--;
	}
};

co::task<> acts(world &all, std::size_t number)
{
	member one(all, number);
	co_await one.acts();
}

/* Until all members have ended. */
co::task<> requests(world &all)
{
	random_numbers random(static_cast<unsigned>(all.seed));
	uint64_t seen = 0, idle = 0;
	while (all.members > 0) {
		all.cancellations[random() % MEMBERS].get()->request();
		co_await co::yield();
		uint64_t now = all.actions;
		idle = now == seen ? idle + 1 : 0;
		seen = now;
		if (idle > IDLE)
			std::this_thread::sleep_for(std::chrono::milliseconds(1));
		if (idle == STUCK_AFTER) {
			std::fprintf(stderr, "stuck: %zu members wait after %llu actions\n", all.members.load(),
			             static_cast<unsigned long long>(now));
			std::abort();
		}
	}
}

void storm(many &first, many &second, uint64_t seed, unsigned seconds)
{
	world all(first, second, seed);
	std::atomic<bool> has_ended{false};
	co::task<> asks = requests(all);
	co::start(first, asks, [&]() noexcept { has_ended = true; });
	for (std::size_t i = 0; i < MEMBERS; i++)
		co::spawn(i % 2 ? co::executor(second) : co::executor(first), acts(all, i));
	auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
	uint64_t steps = 0;
	for (uint64_t part = 0; std::chrono::steady_clock::now() < end; part++) {
		steps += ends_at_random(seed + part);
		std::this_thread::sleep_for(std::chrono::milliseconds(5));
	}
	all.ends = true;
	while (!has_ended)
		std::this_thread::sleep_for(std::chrono::milliseconds(1));
	all_is_as_it_was(all);
	std::printf("%llu actions, %llu waits cancelled, %llu exceptions; %llu steps with destruction\n",
	            static_cast<unsigned long long>(all.actions), static_cast<unsigned long long>(all.cancelled),
	            static_cast<unsigned long long>(all.thrown), static_cast<unsigned long long>(steps));
	check(all.actions > 0 && all.cancelled > 0 && steps > 0, "nothing was done");
}

} // namespace

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	uint64_t seed = std::strtoull(argv[1], nullptr, 10);
	unsigned seconds = static_cast<unsigned>(std::atoi(argv[2]));
#ifdef ON_HEDDLE
	if (heddle_start(argc > 3 ? argv[3] : "processors=2") != HEDDLE_OK)
		return 1;
	{
		many first(std::size_t{64} << 10), second(std::size_t{64} << 10);
		storm(first, second, seed, seconds);
	}
	check(heddle_stop() == 0, "a task waits still");
#else
	{
		many first(1 + seed % 3), second(1 + seed % 2);
		storm(first, second, seed, seconds);
	}
#endif
	return failures ? 1 : 0;
}

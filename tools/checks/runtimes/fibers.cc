/*
 * The locks for fibers of Boost.Fiber (tools/measure/runtimes/boost_fiber/), with as many threads as the word
 * says: no two fibers are inside at once, none is left behind, one that is handed a mutex runs at once on the
 * thread of the one that unlocked it, and misuse throws.
 */
#include <cstdio>
#include <deque>
#include <functional>

#define RUNTIME     "threads/boost_fiber.hpp"
#define FIBER_LOCKS "runtimes/boost_fiber/exchange_locks.hpp"
#include "runtimes/boost_fiber/strategy_locks.hpp"
#include "threads/crew.hpp"

namespace
{

constexpr uint64_t TASKS = 64, ROUNDS = 200;

/* What hands over to fibers of a certain thread waits for that thread to have a processor. */
constexpr uint64_t FEW_ROUNDS = 20;

bool check(bool holds, const char *sentence)
{
	if (!holds)
		std::fprintf(stderr, "%s\n", sentence);
	return holds;
}

/* An address that tells the calling thread from others. Not inlined: a fiber may run on another thread next time. */
[[gnu::noinline]] const void *here()
{
	static thread_local char mark;
	asm volatile("");
	return &mark;
}

/* A hand-over from a fiber that holds to one that came from elsewhere, where there are two threads. */
struct hand_over {
	const void *came_from = nullptr, *unlocked_on = nullptr, *ran_on = nullptr;
	bool before = false; /* the fiber that was handed the mutex ran before the one that unlocked it went on */
};

/* The holder keeps its thread for `nanoseconds` after the waiter has come: so long that it is in line, but for
 * a host that is busy. */
hand_over handed_over(uint64_t processors, uint64_t nanoseconds)
{
	hand_over seen;
	runtime::mutex mutex;
	std::atomic<bool> is_held{false}, is_awaited{false};
	runtime::task holder([&] {
		mutex.lock();
		is_held = true;
		for (uint64_t came = 0; !came || bench::clock() - came < nanoseconds;) {
			if (!came && is_awaited)
				came = bench::clock();
			if (processors == 1)
				runtime::yield();
		}
		seen.unlocked_on = here();
		mutex.unlock();
		seen.before = seen.ran_on != nullptr;
	});
	runtime::task waiter([&] {
		while (!is_held)
			runtime::yield();
		seen.came_from = here();
		is_awaited = true;
		mutex.lock();
		seen.ran_on = here();
		mutex.unlock();
	});
	holder.join();
	waiter.join();
	return seen;
}

bool hands_over_at_once(uint64_t processors)
{
	bool at_once = false, here_too = true;
	for (uint64_t nanoseconds = 100000; !at_once && nanoseconds < 1000000000; nanoseconds *= 2) {
		hand_over seen = handed_over(processors, nanoseconds);
		at_once = seen.before && (processors == 1 || seen.came_from != seen.unlocked_on);
		here_too = seen.ran_on == seen.unlocked_on;
	}
	return check(at_once, "no fiber that was handed the mutex ran before the one that unlocked it went on") &&
	       check(here_too,
	             "the fiber that was handed the mutex ran on another thread than the one that unlocked it");
}

bool excludes(const char *sentence, uint64_t rounds,
              const std::function<void(const std::function<void()> &)> &locked)
{
	witness inside;
	crew_run(TASKS, [&](uint64_t number) {
		for (uint64_t i = 0; i < rounds; i++) {
			locked([&] {
				uint64_t entered = inside.enter();
				if ((number + i) % 7 == 0)
					runtime::yield();
				inside.leave(entered);
			});
			if (i % 5 == 0)
				runtime::yield();
		}
	});
	return check(inside.is_content(TASKS * rounds), sentence);
}

template <class Lock> bool lock_excludes(const char *sentence, Lock &lock)
{
	return excludes(sentence, FEW_ROUNDS, [&](const std::function<void()> &section) {
		typename Lock::node node;
		lock.lock(node);
		section();
		lock.unlock(node);
	});
}

/* Producers and consumers at one bounded buffer, woken one by one and all at once. */
bool conditions_lose_nobody()
{
	runtime::mutex mutex;
	runtime::condition is_some, is_room;
	std::deque<uint64_t> buffer;
	uint64_t taken = 0, sum = 0;
	crew_run(TASKS, [&](uint64_t number) {
		for (uint64_t i = 0; i < ROUNDS; i++) {
			guard lock(mutex);
			if (number % 2) {
				is_room.wait(lock, [&] { return buffer.size() < 5; });
				buffer.push_back(i);
				lock.unlock();
				is_some.notify_one();
			} else {
				is_some.wait(lock, [&] { return !buffer.empty(); });
				sum += buffer.front();
				taken++;
				buffer.pop_front();
				i % 3 ? is_room.notify_one() : is_room.notify_all();
			}
		}
	});
	return check(taken == TASKS / 2 * ROUNDS && sum == TASKS / 2 * (ROUNDS * (ROUNDS - 1) / 2),
	             "a message was lost or came twice");
}

template <class Function> bool throws(Function function)
{
	try {
		function();
	} catch (const boost::fibers::lock_error &) {
		return true;
	}
	return false;
}

bool misuse_throws()
{
	runtime::mutex mutex;
	bool right = check(throws([&] { mutex.unlock(); }), "unlocking a free mutex did not throw");
	right &= check(mutex.try_lock(), "a free mutex was not to be had");
	right &= check(throws([&] { mutex.lock(); }), "locking what one holds did not throw");
	right &= check(throws([&] { mutex.try_lock(); }), "trying to lock what one holds did not throw");
	mutex.unlock();
	std::unique_lock<runtime::mutex> unheld(mutex, std::defer_lock);
	runtime::condition condition;
	return right & check(throws([&] { condition.wait(unheld); }), "waiting without the mutex did not throw");
}

int all(uint64_t processors)
{
	runtime::mutex mutex;
	locks::ttas_lock ttas{locks::strategy_of("SYS")};
	locks::mcs_lock mcs{locks::strategy_of("SYS")}, yields{locks::strategy_of("*Y*")},
	    suspends{locks::strategy_of("**S")};
	locks::cohort_lock cohort(locks::strategy_of("SYS"), 2);
	bool right = hands_over_at_once(processors);
	right &= excludes("exchange: a section was lost, or two were inside", ROUNDS,
	                  [&](const std::function<void()> &section) {
		                  guard lock(mutex);
		                  section();
	                  });
	right &= lock_excludes("TTAS: a section was lost, or two were inside", ttas);
	right &= lock_excludes("MCS: a section was lost, or two were inside", mcs);
	right &= lock_excludes("MCS that yields: a section was lost, or two were inside", yields);
	right &= lock_excludes("MCS that suspends: a section was lost, or two were inside", suspends);
	right &= lock_excludes("TTAS-MCS: a section was lost, or two were inside", cohort);
	right &= conditions_lose_nobody();
	right &= misuse_throws();
	return right ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
{
	bench::parameters given(argc, argv, {});
	return runtime::run(given["processors"], [&] { return all(given["processors"]); });
}

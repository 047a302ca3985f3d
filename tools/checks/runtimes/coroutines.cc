/*
 * heddle/coroutine.hpp: tasks and what comes out of them; and on many threads, that locks exclude and nothing
 * is lost.
 */
#include <chrono>
#include <deque>
#include <memory>
#include <stdexcept>

#include "coroutine_test.hpp"

namespace
{

/* ---------------------------------------------------------------------------------------------- tasks -- */

constexpr int LEVELS = 10000;

co::task<int> depth(int levels)
{
	if (levels == 0)
		co_return 0;
	co_return 1 + co_await depth(levels - 1);
}

co::task<std::unique_ptr<int>> fresh()
{
	co_return std::make_unique<int>(5);
}

co::task<int &> reference(int &number)
{
	co_return number;
}

co::task<int> throws(int levels)
{
	if (levels == 0)
		throw std::runtime_error("thrown");
	co_return co_await throws(levels - 1);
}

co::task<> throws_inside(co::mutex &mutex)
{
	auto held = co_await mutex.scoped();
	throw std::logic_error("inside");
}

co::task<> tasks(co::mutex &mutex)
{
	int number = 1;
	check(co_await depth(LEVELS) == LEVELS, "a chain of tasks came to something else");
	check(*co_await fresh() == 5, "a task did not give a value that is only moved");
	check(&co_await reference(number) == &number, "a task did not give the reference");
	bool caught = false;
	try {
		co_await throws(LEVELS);
	} catch (const std::runtime_error &error) {
		caught = error.what() == std::string("thrown");
	}
	check(caught, "an exception did not come out of a chain of tasks");
	caught = false;
	try {
		co_await throws_inside(mutex);
	} catch (const std::logic_error &) {
		caught = true;
	}
	check(caught && mutex.try_lock(), "an exception inside left the mutex locked");
	mutex.unlock_dispatch();
	auto held = co_await mutex.scoped();
	check(!mutex.try_lock(), "a mutex that is held could be locked");
	co_await held.unlock();
	check(mutex.try_lock(), "a mutex that was given up could not be locked");
	mutex.unlock_dispatch();
}

/* --------------------------------------------------------------------------------------------- many -- */

constexpr std::size_t MEMBERS = 64;
#ifdef FEW
constexpr uint64_t ROUNDS = 50;
#else
constexpr uint64_t ROUNDS = 500;
#endif

void mutex_excludes(many &executor)
{
	co::mutex mutex;
	inside witness;
	uint64_t plain = 0;
	run(executor, all_of(executor, MEMBERS, [&](std::size_t number) -> co::task<> {
		    for (uint64_t i = 0; i < ROUNDS; i++) {
			    if (!mutex.try_lock())
				    co_await mutex.lock();
			    witness.enter();
			    plain++;
			    if ((number + i) % 5 == 0)
				    co_await co::yield();
			    witness.leave();
			    if ((number + i) % 3 == 0)
				    mutex.unlock_dispatch();
			    else
				    co_await mutex.unlock();
		    }
	    }));
	check(witness.saw(MEMBERS * ROUNDS) && plain == MEMBERS * ROUNDS,
	      "mutex: a section was lost, or two were inside");
}

void shared_mutex_excludes(many &executor)
{
	co::shared_mutex mutex;
	inside witness;
	std::atomic<uint64_t> writes{0};
	run(executor, all_of(executor, MEMBERS, [&](std::size_t number) -> co::task<> {
		    for (uint64_t i = 0; i < ROUNDS; i++) {
			    if ((number + i) % 4 == 0) {
				    co_await mutex.lock();
				    witness.enter();
				    writes++;
				    if (i % 3 == 0)
					    co_await co::yield();
				    witness.leave();
				    co_await mutex.unlock();
			    } else {
				    co_await mutex.lock_shared();
				    witness.look();
				    if (i % 7 == 0)
					    co_await co::yield();
				    witness.look();
				    co_await mutex.unlock_shared();
			    }
		    }
	    }));
	check(witness.saw(writes), "shared mutex: a writer was lost, or was not alone");
}

void semaphore_counts(many &executor)
{
	co::semaphore permits(5);
	std::atomic<int> free{5};
	run(executor, all_of(executor, MEMBERS, [&](std::size_t number) -> co::task<> {
		    for (uint64_t i = 0; i < ROUNDS; i++) {
			    int amount = static_cast<int>((number + i) % 5) + 1;
			    co_await permits.acquire(static_cast<std::size_t>(amount));
			    check((free -= amount) >= 0, "semaphore: more permits were taken than there are");
			    if (i % 5 == 0)
				    co_await co::yield();
			    free += amount;
			    co_await permits.release(static_cast<std::size_t>(amount));
		    }
	    }));
	check(free == 5 && permits.try_acquire(5), "semaphore: permits were lost");
}

/* A bounded buffer. */
void condition_loses_nothing(many &executor)
{
	co::mutex mutex;
	co::condition is_some, is_room;
	std::deque<uint64_t> buffer;
	uint64_t sum = 0, taken = 0;
	run(executor, all_of(executor, MEMBERS, [&](std::size_t number) -> co::task<> {
		    for (uint64_t i = 0; i < ROUNDS; i++) {
			    co_await mutex.lock();
			    if (number % 2) {
				    while (buffer.size() >= 5)
					    co_await is_room.wait(mutex);
				    buffer.push_back(i);
				    co_await mutex.unlock();
				    co_await is_some.notify_one();
				    continue;
			    }
			    while (buffer.empty())
				    co_await is_some.wait(mutex);
			    sum += buffer.front();
			    taken++;
			    buffer.pop_front();
			    if (i % 3)
				    co_await is_room.notify_one();
			    else
				    is_room.notify_all_dispatch();
			    co_await mutex.unlock();
		    }
	    }));
	check(taken == MEMBERS / 2 * ROUNDS && sum == MEMBERS / 2 * (ROUNDS * (ROUNDS - 1) / 2),
	      "condition: a message was lost");
}

void channel_loses_nothing(many &executor, std::size_t room)
{
	co::channel<uint64_t> channel(room);
	std::atomic<uint64_t> sum{0}, taken{0}, senders{MEMBERS / 2};
	run(executor, all_of(executor, MEMBERS, [&](std::size_t number) -> co::task<> {
		    if (number % 2) {
			    for (uint64_t i = 0; i < ROUNDS; i++)
				    check(co_await channel.send(i), "channel: an open one refused a message");
			    if (--senders == 0)
				    co_await channel.close();
			    co_return;
		    }
		    while (std::optional<uint64_t> message = co_await channel.receive()) {
			    sum += *message;
			    taken++;
		    }
	    }));
	check(taken == MEMBERS / 2 * ROUNDS && sum == MEMBERS / 2 * (ROUNDS * (ROUNDS - 1) / 2),
	      "channel: a message was lost or came twice");
}

void barrier_and_latch_hold(many &executor)
{
	co::barrier barrier(MEMBERS);
	co::latch latch(2 * MEMBERS);
	std::atomic<uint64_t> arrived{0};
	run(executor, all_of(executor, MEMBERS, [&](std::size_t) -> co::task<> {
		    for (uint64_t i = 0; i < ROUNDS / 5; i++) {
			    arrived++;
			    co_await barrier.arrive_and_wait();
			    check(arrived >= MEMBERS * (i + 1), "barrier: one left before all had come");
			    co_await barrier.arrive_and_wait();
		    }
		    co_await latch.count_down();
		    co_await latch.arrive_and_wait();
		    co_await latch.wait();
	    }));
}

#ifndef ON_HEDDLE
/* What is posted while others sleep wakes one: by this thread, and by one that keeps its own thread until it
 * has run. */
void posts_wake(many &executor, std::size_t threads)
{
	std::atomic<unsigned> ran{0};
	auto runs = [](std::atomic<unsigned> &count) -> co::task<> {
		count++;
		co_return;
	};
	for (unsigned i = 1; i <= 3; i++) {
		std::this_thread::sleep_for(std::chrono::milliseconds(20));
		run(executor, runs(ran));
		if (threads == 1)
			continue;
		std::this_thread::sleep_for(std::chrono::milliseconds(20));
		unsigned before = ran;
		run(executor, [](many &on, auto made, std::atomic<unsigned> &count, unsigned last) -> co::task<> {
			co::spawn(on, made(count));
			while (count == last)
				std::this_thread::yield();
			co_return;
		}(executor, runs, ran, before));
	}
}
#endif

#ifndef ON_HEDDLE
/* What is ready when an executor ends is run before. */
void an_executor_ends_with_its_work(std::size_t threads)
{
	constexpr unsigned COUNT = 1000;
	std::atomic<unsigned> ran{0};
	{
		co::thread_executor executor(threads);
		for (unsigned i = 0; i < COUNT; i++)
			co::spawn(executor, [](std::atomic<unsigned> &count) -> co::task<> {
				co_await co::yield();
				co_await co::yield();
				count++;
			}(ran));
	}
	check(ran == COUNT, "an executor ended with work that was ready");
}
#endif

#ifndef ON_HEDDLE
/* What runs as an executor ends may make work and keep its thread until another has done that. */
void an_executor_ends_together()
{
	std::atomic<bool> ends{false}, has_run{false};
	{
		co::thread_executor executor(2);
		co::spawn(executor,
		          [](co::executor on, std::atomic<bool> &last, std::atomic<bool> &seen) -> co::task<> {
			          while (!last)
				          std::this_thread::yield();
			          std::this_thread::sleep_for(std::chrono::milliseconds(20));
			          co::spawn(on, [](std::atomic<bool> &tells) -> co::task<> {
				          tells = true;
				          co_return;
			          }(seen));
			          while (!seen)
				          std::this_thread::yield();
			          co_return;
		          }(executor, ends, has_run));
		ends = true;
	}
	check(has_run, "an executor ended with work that was ready");
}
#endif

void on_many(many &executor)
{
	co::mutex mutex;
	run(executor, tasks(mutex));
	mutex_excludes(executor);
	shared_mutex_excludes(executor);
	semaphore_counts(executor);
	condition_loses_nothing(executor);
	channel_loses_nothing(executor, 0);
	channel_loses_nothing(executor, 3);
	barrier_and_latch_hold(executor);
}

} // namespace

int main(int argc, char **argv)
{
#ifndef ON_HEDDLE
	for (std::size_t threads = 1; threads <= 2; threads++) {
		co::thread_executor executor(threads);
		posts_wake(executor, threads);
		an_executor_ends_with_its_work(threads);
	}
	an_executor_ends_together();
#endif
	return test_on_many(on_many, argc, argv);
}

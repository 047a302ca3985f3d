/* heddle/coroutine.hpp: waits that are cancelled, before they begin, while they last, when they have ended. */
#include <memory>

#include "coroutine_test.hpp"

namespace
{

/* Awaits an operation, and says what came of it: 'y' or 'n'. */
template <class Make> co::task<> waits(Make make, co::cancellation &by, std::string &log, std::string name)
{
	bool done = static_cast<bool>(co_await co::cancellable(by, make()));
	log += name + (done ? "y" : "n");
}

/* One that is cancelled leaves its line, and the others come as they were. `give` lets one go on. */
template <class Make, class Give>
void cancels_one_of_three(const char *what, Make make, Give give, const std::string &expected)
{
	by_hand executor;
	co::cancellation cancellations[3];
	std::string log;
	for (int i = 0; i < 3; i++)
		co::spawn(executor, waits(make, cancellations[i], log, std::to_string(i)));
	executor.run_all();
	cancellations[1].request();
	executor.run_all();
	for (int i = 0; i < 2; i++) {
		give();
		executor.run_all();
	}
	check(log == expected, std::string(what) + ": " + log);
}

void waits_are_cancelled()
{
	co::mutex mutex;
	check(mutex.try_lock(), "a free mutex was not to be had");
	cancels_one_of_three(
	    "mutex", [&] { return mutex.lock(); }, [&] { mutex.unlock_dispatch(); }, "1n0y2y");
	mutex.unlock_dispatch();
	co::semaphore semaphore(0);
	cancels_one_of_three(
	    "semaphore", [&] { return semaphore.acquire(); }, [&] { semaphore.release_dispatch(); }, "1n0y2y");
	co::channel<int> channel(0);
	int message = 1;
	cancels_one_of_three(
	    "receive", [&] { return channel.receive(); },
	    [&] { check(channel.try_send(message), "no coroutine received"); }, "1n0y2y");
	cancels_one_of_three(
	    "send", [&] { return channel.send(1); },
	    [&] { check(channel.try_receive().has_value(), "no coroutine sent"); }, "1n0y2y");
	co::shared_mutex shared;
	check(shared.try_lock(), "a free shared mutex was not to be had");
	cancels_one_of_three(
	    "shared mutex", [&] { return shared.lock(); }, [&] { shared.unlock_dispatch(); }, "1n0y2y");
	shared.unlock_dispatch();
	co::event event;
	cancels_one_of_three(
	    "event", [&] { return event.wait(); }, [&] { event.set_dispatch(); }, "1n0y2y");
}

/* An arrival counts, though its wait was cancelled. */
void an_arrival_counts()
{
	by_hand executor;
	co::barrier barrier(2);
	co::latch latch(2);
	co::cancellation cancellation;
	std::string log;
	auto both = [&](co::cancellation &by, std::string name) {
		co::spawn(executor, waits([&] { return barrier.arrive_and_wait(); }, by, log, "b" + name));
		co::spawn(executor, waits([&] { return latch.arrive_and_wait(); }, by, log, "l" + name));
		executor.run_all();
	};
	both(cancellation, "1");
	cancellation.request();
	executor.run_all();
	co::cancellation other;
	both(other, "2");
	check(log == "b1nl1nb2yl2y", "arrivals whose waits were cancelled: " + log);
}

/* A request that came before, and one that finds nothing to wait for. */
void requests_may_come_first()
{
	by_hand executor;
	co::cancellation cancellation;
	cancellation.request();
	co::mutex mutex;
	std::string log;
	co::spawn(executor, waits([&] { return mutex.lock(); }, cancellation, log, "a"));
	co::spawn(executor, waits([&] { return mutex.lock(); }, cancellation, log, "b"));
	executor.run_all();
	check(log == "aybn", "a request that came first: " + log);
	mutex.unlock_dispatch();
}

/* A wait for a notification returns with the mutex, notified or not. */
void a_condition_is_cancelled_with_its_mutex()
{
	by_hand executor;
	co::mutex mutex;
	co::condition condition;
	co::cancellation cancellation;
	std::string log;
	co::spawn(executor,
	          [](co::mutex &with, co::condition &at, co::cancellation &by, std::string &order) -> co::task<> {
		          co_await with.lock();
		          bool notified = co_await co::cancellable(by, at.wait(with));
		          order += notified ? "y" : "n";
		          check(!with.try_lock(), "a wait that was cancelled came back without its mutex");
		          co_await with.unlock();
	          }(mutex, condition, cancellation, log));
	executor.run_all();
	check(mutex.try_lock(), "a wait has not given the mutex up");
	cancellation.request();
	executor.run_all();
	check(log.empty(), "a wait that was cancelled came back while another holds the mutex");
	mutex.unlock_dispatch();
	executor.run_all();
	check(log == "n", "a condition's wait was not cancelled: " + log);
}

/* An object at which the second look finds what the first has not, and lets another go on for it. */
class second_look : public co::object
{
	unsigned looks_ = 0;
	co::line others_;

	co::line *look(co::waiter &, co::line &going) noexcept
	{
		if (looks_++ == 0)
			return &waiting_;
		going.let_all_go(others_);
		return nullptr;
	}

	co::line *stay(co::waiter &, co::line &) noexcept
	{
		return &others_;
	}

  public:
	auto find()
	{
		return co::operation<second_look, &second_look::look>(*this);
	}

	auto wait()
	{
		return co::operation<second_look, &second_look::stay>(*this);
	}
};

/* The request comes when the operation is done and its coroutine has not gone on yet: from what runs in its place. */
void what_was_done_is_not_cancelled()
{
	by_hand executor;
	second_look object;
	co::cancellation cancellation;
	std::string log;
	co::spawn(executor, [](second_look &at, co::cancellation &by) -> co::task<> {
		co_await at.wait();
		by.request();
	}(object, cancellation));
	co::spawn(executor, waits([&] { return object.find(); }, cancellation, log, "a"));
	executor.run_all();
	check(log == "ay", "what was done before it was cancelled: " + log);
}

/* A wait has left its cancellation when its result is used: another that begins to wait there meanwhile, before the
 * full expression ends, stays in. */
void a_wait_leaves_once()
{
	by_hand executor;
	co::event first, second;
	co::cancellation cancellation;
	std::string log;
	auto uses = [](auto result, auto meanwhile) {
		meanwhile();
		return result;
	};
	auto begins = [&] {
		co::spawn(executor, waits([&] { return second.wait(); }, cancellation, log, "b"));
		executor.run_all();
	};
	co::spawn(executor, [](auto used, auto &at, auto &by, auto meanwhile, std::string &order) -> co::task<> {
		order += used(co_await co::cancellable(by, at.wait()), meanwhile) ? "ay" : "an";
	}(uses, first, cancellation, begins, log));
	executor.run_all();
	first.set_dispatch();
	executor.run_all();
	cancellation.request();
	executor.run_all();
	check(log == "aybn", "what began to wait while another's result was used: " + log);
}

/* What has gone on needs its cancellation no more. */
void a_cancellation_may_go()
{
	by_hand executor;
	co::event event;
	auto cancellation = std::make_unique<co::cancellation>();
	std::string log;
	co::spawn(executor, [](co::event &at, auto &by, std::string &order) -> co::task<> {
		auto end = [&](bool done) {
			by.reset();
			return done;
		};
		order += end(co_await co::cancellable(*by, at.wait())) ? "y" : "n";
	}(event, cancellation, log));
	executor.run_all();
	event.set_dispatch();
	executor.run_all();
	check(log == "y", "an event was not set: " + log);
}

/* It has nothing to unlock, and says so. */
void a_held_that_is_cancelled_is_empty()
{
	by_hand executor;
	co::mutex mutex;
	co::cancellation cancellation;
	std::string log;
	auto enters = [](co::mutex &with, co::cancellation &by, std::string &order) -> co::task<> {
		auto held = co_await co::cancellable(by, with.scoped());
		order += held ? "y" : "n";
	};
	check(mutex.try_lock(), "a free mutex was not to be had");
	co::spawn(executor, enters(mutex, cancellation, log));
	executor.run_all();
	cancellation.request();
	executor.run_all();
	check(log == "n" && !mutex.try_lock(), "a cancelled wait has unlocked what another holds: " + log);
	co::spawn(executor, enters(mutex, cancellation, log));
	executor.run_all();
	check(log == "nn" && !mutex.try_lock(), "one that came after the request has unlocked it: " + log);
	mutex.unlock_dispatch();
	co::spawn(executor, enters(mutex, cancellation, log));
	executor.run_all();
	check(log == "nny" && mutex.try_lock(), "a free mutex was not had, or was not given up: " + log);
	mutex.unlock_dispatch();
}

/* Requests at any moment: each wait ends once, and nothing is lost. */
void requests_come_at_any_moment(many &executor)
{
	constexpr std::size_t MEMBERS = 32;
	constexpr unsigned ROUNDS = 60;
	co::mutex mutex;
	co::semaphore permits(1);
	inside witness;
	std::atomic<uint64_t> sections{0}, cancelled{0};
	run(executor, all_of(executor, MEMBERS, [&](std::size_t number) -> co::task<> {
		    for (unsigned i = 0; i < ROUNDS; i++) {
			    co::cancellation cancellation;
			    co::latch asked(1);
			    co::spawn(executor,
			              [](co::cancellation &own, co::latch &done, unsigned yields) -> co::task<> {
				              for (; yields > 0; yields--)
					              co_await co::yield();
				              own.request();
				              done.count_down_dispatch();
			              }(cancellation, asked, (static_cast<unsigned>(number) + i) % 4));
			    if (co_await co::cancellable(cancellation, mutex.lock())) {
				    witness.enter();
				    sections++;
				    co_await co::yield();
				    witness.leave();
				    co_await mutex.unlock();
			    } else {
				    cancelled++;
			    }
			    if (co_await co::cancellable(cancellation, permits.acquire()))
				    co_await permits.release();
			    co_await asked.wait();
		    }
	    }));
	check(sections + cancelled == MEMBERS * ROUNDS && witness.saw(sections),
	      "a cancelled wait held the mutex");
	check(mutex.try_lock() && permits.try_acquire(),
	      "a mutex or a permit was lost to a wait that was cancelled");
	mutex.unlock_dispatch();
}

} // namespace

int main(int argc, char **argv)
{
	waits_are_cancelled();
	an_arrival_counts();
	requests_may_come_first();
	a_condition_is_cancelled_with_its_mutex();
	what_was_done_is_not_cancelled();
	a_wait_leaves_once();
	a_cancellation_may_go();
	a_held_that_is_cancelled_is_empty();
	return test_on_many(requests_come_at_any_moment, argc, argv);
}

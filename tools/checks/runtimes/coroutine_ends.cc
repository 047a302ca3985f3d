/*
 * heddle/coroutine.hpp: coroutines that are destroyed while they wait, and misuse. With "misuse NAME": that
 * misuse, which must end the process with a sentence.
 */
#include "coroutine_sole.hpp"

namespace
{

/* ------------------------------------------------------------------------------------------ destruction -- */

co::task<> lock_and_say(co::mutex &mutex, std::string &log, std::string name)
{
	auto held = co_await mutex.scoped();
	log += name;
	co_await co::yield();
	co_await held.unlock();
}

void those_that_wait_may_be_destroyed()
{
	by_hand executor;
	co::mutex mutex;
	std::string log;
	check(mutex.try_lock(), "a free mutex was not to be had");
	sole three[] = {started(executor, lock_and_say(mutex, log, "a")),
	                started(executor, lock_and_say(mutex, log, "b")),
	                started(executor, lock_and_say(mutex, log, "c"))};
	three[1].coroutine.destroy();
	mutex.unlock_dispatch();
	executor.run_one();
	check(log == "a", "the first did not come: " + log);
	/* a holds the mutex, and is ready behind its yield: it runs to its end, and hands over to c. */
	executor.run_one();
	check(log == "ac", "what was behind a destroyed one did not come: " + log);
	executor.run_all();
	three[0].coroutine.destroy();
	three[2].coroutine.destroy();
	check(mutex.try_lock(), "a mutex is locked, and no coroutine holds it");
	mutex.unlock_dispatch();
}

co::task<> wait_and_say(co::mutex &mutex, co::condition &condition, std::string &log, std::string name)
{
	co_await mutex.lock();
	co_await condition.wait(mutex);
	log += name;
	co_await mutex.unlock();
}

/* At a condition, and then in its mutex's line. */
void those_at_a_condition_may_be_destroyed()
{
	by_hand executor;
	co::mutex mutex;
	co::condition condition;
	std::string log;
	sole three[] = {started(executor, wait_and_say(mutex, condition, log, "a")),
	                started(executor, wait_and_say(mutex, condition, log, "b")),
	                started(executor, wait_and_say(mutex, condition, log, "c"))};
	three[0].coroutine.destroy();
	check(mutex.try_lock(), "waits have not given their mutex up");
	condition.notify_all_dispatch();
	three[1].coroutine.destroy();
	mutex.unlock_dispatch();
	executor.run_all();
	check(log == "c" && mutex.try_lock(), "a notification did not come past destroyed ones: " + log);
	mutex.unlock_dispatch();
	three[2].coroutine.destroy();
}

/* What was destroyed is not told that it is cancelled. */
void those_that_are_cancellable_may_be_destroyed()
{
	by_hand executor;
	co::channel<int> channel(0);
	co::cancellation cancellation;
	std::string log;
	auto receives = [](co::channel<int> &from, co::cancellation &by, std::string &order) -> co::task<> {
		order += co_await co::cancellable(by, from.receive()) ? "y" : "n";
	};
	sole one = started(executor, receives(channel, cancellation, log));
	co::spawn(executor, receives(channel, cancellation, log));
	executor.run_all();
	one.coroutine.destroy();
	cancellation.request();
	executor.run_all();
	int message = 1;
	check(log == "n" && !channel.try_send(message), "a message was sent to a destroyed receiver: " + log);
}

/* One that waits for another thing while it holds a mutex: its end gives that up. */
void what_is_held_is_given_up()
{
	by_hand executor;
	co::mutex mutex;
	co::event event;
	sole one = started(executor, [](co::mutex &with, co::event &at) -> co::task<> {
		auto held = co_await with.scoped();
		co_await at.wait();
	}(mutex, event));
	check(!mutex.try_lock(), "a coroutine that waits has lost its mutex");
	one.coroutine.destroy();
	check(mutex.try_lock(), "a coroutine that was destroyed has kept its mutex");
	mutex.unlock_dispatch();
}

/* ---------------------------------------------------------------------------------------------- misuse -- */

int misuse(const std::string &name)
{
	by_hand executor;
	co::mutex mutex;
	if (name == "unlock")
		mutex.unlock_dispatch();
	if (name == "shared") {
		co::shared_mutex shared;
		check(shared.try_lock_shared(), "a free shared mutex was not to be had");
		shared.unlock_dispatch();
	}
	if (name == "locked") {
		co::mutex inner;
		check(inner.try_lock(), "a free mutex was not to be had");
	}
	if (name == "awaited") {
		co::semaphore inner(0);
		co::spawn(executor, [](co::semaphore &at) -> co::task<> { co_await at.acquire(); }(inner));
		executor.run_all();
	}
	if (name == "shared-locked") {
		co::shared_mutex inner;
		check(inner.try_lock_shared(), "a free shared mutex was not to be had");
	}
	if (name == "channel") {
		co::channel<int> inner(0);
		co::spawn(executor, [](co::channel<int> &at) -> co::task<> { co_await at.send(1); }(inner));
		executor.run_all();
	}
	if (name == "held") {
		check(mutex.try_lock(), "a free mutex was not to be had");
		co::held<co::mutex> held(mutex);
		co::spawn(executor, [](co::held<co::mutex> &own) -> co::task<> {
			co_await own.unlock();
			co_await own.unlock();
		}(held));
		executor.run_all();
	}
	if (name == "permits")
		co::semaphore(SIZE_MAX).release_dispatch();
	if (name == "barrier")
		co::barrier(0);
	if (name == "latch")
		co::latch(1).count_down_dispatch(2);
	if (name == "twice")
		co::spawn(executor, []() -> co::task<> {
			auto nothing = []() -> co::task<> { co_return; };
			co::task<> task = nothing();
			co_await task.settle();
			co_await std::move(task);
		}());
	if (name == "ready") {
		sole one = awaits([]() -> co::task<> { co_await co::yield(); }());
		one.coroutine.promise().executor = co::executor(executor);
		one.coroutine.promise().post();
		one.coroutine.destroy();
	}
	if (name == "operation")
		co::spawn(executor, [](co::mutex &at) -> co::task<> {
			auto once = at.lock();
			co_await once;
			co_await once;
		}(mutex));
	if (name == "scope")
		co::spawn(executor, [](co::mutex &with) -> co::task<> {
			auto held = co_await with.scoped();
			co_await with.unlock();
		}(mutex));
	if (name == "result") {
		auto nothing = []() -> co::task<int> { co_return 1; };
		nothing().take();
	}
	if (name == "stranger")
		awaits([]() -> co::task<> { co_return; }()).coroutine.resume();
	if (name == "executor")
		awaits([]() -> co::task<> { co_await co::yield(); }()).coroutine.promise().run();
	executor.run_all();
	return 0;
}

} // namespace

int main(int argc, char **argv)
{
	if (argc > 2 && argv[1] == std::string("misuse"))
		return misuse(argv[2]);
	those_that_wait_may_be_destroyed();
	those_at_a_condition_may_be_destroyed();
	those_that_are_cancellable_may_be_destroyed();
	what_is_held_is_given_up();
	return failures ? 1 : 0;
}

/*
 * heddle/coroutine.hpp: a wait that ends otherwise than by being let go on, because it is cancelled or its coroutine is
 * destroyed. What leaves a line lets those behind it try again; what was notified and leaves passes that on; what is
 * destroyed gives up what it holds, and nothing else.
 */
#include <optional>

#include "coroutine_sole.hpp"

namespace
{

/* One that waits and may leave by a request or by its end. `wait` makes the operation. */
template <class Wait> co::task<> waits(Wait wait, co::cancellation &by, std::string &log, std::string name)
{
	bool done = static_cast<bool>(co_await co::cancellable(by, wait()));
	log += name + (done ? "y" : "n");
}

template <class Wait> co::task<> waits_alone(Wait wait, std::string &log, std::string name)
{
	co_await wait();
	log += name;
}

/* The first in line keeps back two others, and leaves: "1" and "2" go on, and what is to come later still waits. */
template <class First, class Others> void lets_others_try(const char *what, First first, Others others)
{
	for (bool is_destroyed : {false, true}) {
		by_hand executor;
		co::cancellation cancellation;
		std::string log;
		sole one = started(executor, waits(first, cancellation, log, "0"));
		sole two[] = {started(executor, waits_alone(others, log, "1")),
		              started(executor, waits_alone(others, log, "2"))};
		check(log.empty(), std::string(what) + ", before any left: " + log);
		if (is_destroyed)
			one.coroutine.destroy();
		else
			cancellation.request();
		executor.run_all();
		check(log == (is_destroyed ? "12" : "120n"), std::string(what) +
		                                                 (is_destroyed ? ", destroyed: " : ", cancelled: ") +
		                                                 log + ", and not the others behind it");
		if (!is_destroyed)
			one.coroutine.destroy();
		for (sole &each : two)
			each.coroutine.destroy();
	}
}

void those_behind_try_again()
{
	co::semaphore semaphore(4);
	lets_others_try(
	    "semaphore", [&] { return semaphore.acquire(5); }, [&] { return semaphore.acquire(1); });
	co::shared_mutex shared;
	check(shared.try_lock_shared(), "a free shared mutex was not to be had");
	lets_others_try(
	    "shared mutex", [&] { return shared.lock(); }, [&] { return shared.lock_shared(); });
	for (int i = 0; i < 5; i++)
		shared.unlock_shared_dispatch();
}

/* Whatever leaves from the middle lets none pass that is behind another. */
void the_order_stays()
{
	by_hand executor;
	co::semaphore semaphore(1);
	co::cancellation cancellation;
	std::string log;
	sole three[] = {started(executor, waits_alone([&] { return semaphore.acquire(2); }, log, "0")),
	                started(executor, waits([&] { return semaphore.acquire(2); }, cancellation, log, "1")),
	                started(executor, waits_alone([&] { return semaphore.acquire(1); }, log, "2"))};
	cancellation.request();
	executor.run_all();
	check(log == "1n", "one passed another that still waits: " + log);
	semaphore.release_dispatch(2);
	executor.run_all();
	check(log == "1n02", "after a release: " + log);
	for (sole &each : three)
		each.coroutine.destroy();
}

/* One request ends a wait of which another that it ends was the cause. */
void all_leave_at_once()
{
	by_hand executor;
	co::semaphore semaphore(1);
	co::cancellation cancellation;
	std::string log;
	auto taken = [&](std::size_t amount, const char *name) {
		return started(executor,
		               waits([&, amount] { return semaphore.acquire(amount); }, cancellation, log, name));
	};
	sole three[] = {taken(2, "0"), taken(3, "1"), taken(1, "2")};
	cancellation.request();
	executor.run_all();
	check(log == "0n1n2y" || log == "0n1n2n" || log == "0n2y1n" || log == "2y0n1n",
	      "three that leave at once: " + log);
	check(semaphore.try_acquire() == (log.find("2n") != std::string::npos),
	      "a permit was lost or made: " + log);
	for (sole &each : three)
		each.coroutine.destroy();
}

/* ------------------------------------------------------------------------------------------ conditions -- */

co::task<> takes_one(co::mutex &mutex, co::condition &condition, int &items, std::string &log,
                     std::string name)
{
	auto held = co_await mutex.scoped();
	while (items == 0)
		co_await condition.wait(mutex);
	items--;
	log += name;
}

/* It is told alone, waits for the mutex, and is destroyed: the next is told. Told together with all, none that came
 * later is (c, under a mutex of its own). */
void a_notification_is_passed_on()
{
	for (bool all : {false, true}) {
		by_hand executor;
		co::mutex mutex;
		co::condition condition;
		std::string log;
		int items = 0;
		auto began = [&](const char *name) {
			return started(executor, takes_one(mutex, condition, items, log, name));
		};
		sole first = began("a"), second = began("b");
		check(mutex.try_lock(), "waits have not given their mutex up");
		items = 1;
		if (all)
			condition.notify_all_dispatch();
		else
			condition.notify_one_dispatch();
		co::mutex other;
		int none = 0;
		sole third = started(executor, takes_one(other, condition, none, log, "c"));
		none = 1;
		first.coroutine.destroy();
		mutex.unlock_dispatch();
		executor.run_all();
		check(log == "b" && items == 0, "a notification went with what it was for, or came twice: " + log);
		second.coroutine.destroy();
		third.coroutine.destroy();
	}
}

/* In the mutex's line because it was cancelled, it has no notification to pass on. */
void a_cancelled_wait_passes_nothing_on()
{
	by_hand executor;
	co::mutex mutex;
	co::condition condition;
	co::cancellation cancellation;
	std::string log;
	auto told = [](co::mutex &with, co::condition &at, co::cancellation &by, std::string &order,
	               std::string name) -> co::task<> {
		co_await with.lock();
		order += name + (co_await co::cancellable(by, at.wait(with)) ? "y" : "n");
		co_await with.unlock();
	};
	co::cancellation never;
	sole first = started(executor, told(mutex, condition, cancellation, log, "a"));
	sole second = started(executor, told(mutex, condition, never, log, "b"));
	check(mutex.try_lock(), "waits have not given their mutex up");
	cancellation.request();
	first.coroutine.destroy();
	mutex.unlock_dispatch();
	executor.run_all();
	check(log.empty(), "a wait that was cancelled and destroyed has notified another: " + log);
	condition.notify_one_dispatch();
	executor.run_all();
	check(log == "by", "what waits behind it was not notified: " + log);
	second.coroutine.destroy();
}

/* -------------------------------------------------------------------------------------------------- held -- */

co::task<> waits_with_held(co::mutex &mutex, co::condition &condition, std::string &log)
{
	auto held = co_await mutex.scoped();
	co_await condition.wait(mutex);
	log += held ? "held" : "empty";
}

/* Destroyed at a condition it holds nothing: whether the mutex is free, another has it, or it was notified. */
void a_held_is_empty_at_a_condition()
{
	for (bool is_notified : {false, true}) {
		by_hand executor;
		co::mutex mutex;
		co::condition condition;
		std::string log;
		sole one = started(executor, waits_with_held(mutex, condition, log));
		check(mutex.try_lock(), "a wait has not given its mutex up");
		if (is_notified)
			condition.notify_one_dispatch();
		one.coroutine.destroy();
		check(!mutex.try_lock(), "what was destroyed at a condition has unlocked another's mutex");
		mutex.unlock_dispatch();
		sole free = started(executor, waits_with_held(mutex, condition, log));
		free.coroutine.destroy();
		check(mutex.try_lock(), "what was destroyed at a condition has kept the mutex");
		mutex.unlock_dispatch();
	}
}

/* What goes on holds it again, also where the wait was cancelled before it began; its `held` may move meanwhile. */
void a_held_is_full_again()
{
	by_hand executor;
	co::mutex mutex;
	co::condition condition;
	std::string log;
	sole one = started(executor, waits_with_held(mutex, condition, log));
	condition.notify_one_dispatch();
	executor.run_all();
	check(log == "held" && mutex.try_lock(), "after a notification: " + log);
	mutex.unlock_dispatch();
	one.coroutine.destroy();
	log.clear();
	co::spawn(executor, [](co::mutex &with, co::condition &at, std::string &order) -> co::task<> {
		co::cancellation requested;
		requested.request();
		auto first = co_await with.scoped();
		auto held = std::move(first);
		check(!co_await co::cancellable(requested, at.wait(with)), "a wait was begun after the request");
		order += held && !first ? "held" : "empty";
		co_await held.unlock();
		order += held ? "held" : "empty";
	}(mutex, condition, log));
	executor.run_all();
	check(log == "heldempty" && mutex.try_lock(), "after a request: " + log);
	mutex.unlock_dispatch();
}

/* Counts the copies of what start() is to call. */
struct counted {
	int &alive, &calls;

	counted(int &living, int &called) : alive(living), calls(called)
	{
		alive++;
	}

	counted(const counted &other) : counted(other.alive, other.calls)
	{
	}

	~counted()
	{
		alive--;
	}

	void operator()() const
	{
		calls++;
	}
};

/* A task that was started and is destroyed takes with it what waits for its end. */
void a_started_task_leaves_nothing()
{
	by_hand executor;
	co::event event;
	std::string log;
	int alive = 0, calls = 0;
	std::optional<co::task<>> kept(waits_alone([&] { return event.wait(); }, log, "1"));
	co::start(executor, *kept, counted(alive, calls));
	executor.run_all();
	kept.reset();
	check(alive == 0 && calls == 0, "what start() had made is left behind, or was called");
	kept.emplace(waits_alone([&] { return event.wait(); }, log, "2"));
	co::start(executor, *kept, counted(alive, calls));
	executor.run_all();
	event.set_dispatch();
	executor.run_all();
	kept.reset();
	check(alive == 0 && calls == 1 && log == "2", "a task that was started has ended so: " + log);
}

} // namespace

int main()
{
	those_behind_try_again();
	the_order_stays();
	all_leave_at_once();
	a_notification_is_passed_on();
	a_cancelled_wait_passes_nothing_on();
	a_held_is_empty_at_a_condition();
	a_held_is_full_again();
	a_started_task_leaves_nothing();
	return failures ? 1 : 0;
}

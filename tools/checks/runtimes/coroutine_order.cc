/*
 * heddle/coroutine.hpp: in which order coroutines run, on one thread that runs what is ready one by one; and on
 * which executor.
 */
#include "coroutine_test.hpp"

namespace
{

co::task<> lock_and_log(co::mutex &mutex, std::string &log, std::string name)
{
	co_await mutex.lock();
	log += name;
	co_await co::yield();
	co_await mutex.unlock();
	log += name + "'";
}

/* a holds it while b and c come. After each unlock the next one's section runs, then the rest of the unlocker. */
void unlock_exchanges()
{
	by_hand executor;
	co::mutex mutex;
	std::string log;
	for (const char *name : {"a", "b", "c"})
		co::spawn(executor, lock_and_log(mutex, log, name));
	executor.run_all();
	check(log == "aba'cb'c'", "unlock: " + log);
}

co::task<> wait_and_log(co::event &event, std::string &log, std::string name)
{
	co_await event.wait();
	log += name;
}

/* The first goes on at once, then what was ready, the others behind it, the caller last. */
void set_exchanges_to_the_first()
{
	by_hand executor;
	co::event event;
	std::string log;
	for (const char *name : {"a", "b", "c"})
		co::spawn(executor, wait_and_log(event, log, name));
	executor.run_all();
	co::spawn(executor, [](co::event &set, std::string &order) -> co::task<> {
		co_await set.set();
		order += "s";
	}(event, log));
	executor.run_all();
	check(log == "abcs", "set: " + log);
	event.reset();
	co::spawn(executor, wait_and_log(event, log, "d"));
	executor.run_all();
	event.set_dispatch();
	check(log == "abcs", "set_dispatch: " + log);
	executor.run_all();
	check(log == "abcsd", "after set_dispatch: " + log);
}

/* A notified coroutine runs at once where its mutex is free, else it is in line there. */
void notify_exchanges()
{
	by_hand executor;
	co::mutex mutex;
	co::condition condition;
	std::string log;
	auto waits = [](co::mutex &with, co::condition &at, std::string &order, std::string name) -> co::task<> {
		co_await with.lock();
		co_await at.wait(with);
		order += name;
		co_await with.unlock();
	};
	co::spawn(executor, waits(mutex, condition, log, "a"));
	co::spawn(executor, waits(mutex, condition, log, "b"));
	executor.run_all();
	co::spawn(executor, [](co::mutex &with, co::condition &at, std::string &order) -> co::task<> {
		co_await at.notify_one();
		order += "1";
		co_await with.lock();
		co_await at.notify_all();
		order += "2";
		co_await with.unlock();
		order += "3";
	}(mutex, condition, log));
	executor.run_all();
	check(log == "a12b3", "notify: " + log);
}

/* A receiver that waits runs with its message; a sender that waited for room is only made ready. */
void send_exchanges()
{
	by_hand executor;
	co::channel<int> channel(1);
	std::string log;
	co::spawn(executor, [](co::channel<int> &from, std::string &order) -> co::task<> {
		while (std::optional<int> message = co_await from.receive())
			order += std::to_string(*message);
		order += "e";
	}(channel, log));
	executor.run_all();
	co::spawn(executor, [](co::channel<int> &to, std::string &order) -> co::task<> {
		for (int message = 1; message <= 3; message++) {
			check(co_await to.send(message), "an open channel refused a message");
			order += "s";
		}
		co_await to.close();
		check(!co_await to.send(4), "a closed channel took a message");
	}(channel, log));
	executor.run_all();
	check(log == "1s2s3se", "send: " + log);
	int kept = 7;
	check(!channel.try_send(kept) && kept == 7 && !channel.try_receive(), "a closed channel is not empty");
}

/* A channel that is closed lets all that wait go on, and tells them. */
void close_lets_all_go()
{
	by_hand executor;
	std::string log;
	co::channel<int> full(0), empty(0);
	for (int i = 0; i < 2; i++) {
		co::spawn(executor, [](co::channel<int> &to, std::string &order) -> co::task<> {
			order += co_await to.send(1) ? "s" : "c";
		}(full, log));
		co::spawn(executor, [](co::channel<int> &from, std::string &order) -> co::task<> {
			order += co_await from.receive() ? "r" : "e";
		}(empty, log));
	}
	executor.run_all();
	full.close_dispatch();
	empty.close_dispatch();
	executor.run_all();
	check(log == "ccee", "close: " + log);
}

/* However many hand over in a row; after 1,000 of them comes what else is ready. */
void a_long_chain_ends()
{
	by_hand executor;
	co::mutex mutex;
	uint64_t sections = 0;
	constexpr unsigned CHAIN = 200000;
	auto member = [](co::mutex &with, uint64_t &count) -> co::task<> {
		co_await with.lock();
		count++;
		co_await with.unlock();
	};
	check(mutex.try_lock(), "a free mutex was not to be had");
	for (unsigned i = 0; i < CHAIN; i++)
		co::spawn(executor, member(mutex, sections));
	executor.run_all();
	mutex.unlock_dispatch();
	uint64_t seen = 0;
	co::spawn(executor, [](uint64_t &count, uint64_t &found) -> co::task<> {
		found = count;
		co_return;
	}(sections, seen));
	executor.run_all();
	check(sections == CHAIN, "a chain of hand-overs broke off");
	check(seen == 1000, "what else was ready came after " + std::to_string(seen) + " hand-overs");
}

/* What lets go on: "1" is before it, "2" after it; "w" waits for it. By exchange w comes between. */
template <class Wait, class Release> std::string order_of(Wait wait, Release release)
{
	by_hand executor;
	std::string log;
	co::spawn(executor, [](Wait &at, std::string &order) -> co::task<> {
		co_await at();
		order += "w";
	}(wait, log));
	executor.run_all();
	co::spawn(executor, [](Release &by, std::string &order) -> co::task<> {
		order += "1";
		co_await by();
		order += "2";
	}(release, log));
	executor.run_all();
	return log;
}

void each_exchanges()
{
	co::semaphore semaphore(0);
	std::string order = order_of([&] { return semaphore.acquire(2); }, [&] { return semaphore.release(2); });
	check(order == "1w2", "release: " + order);
	co::latch latch(1);
	order = order_of([&] { return latch.wait(); }, [&] { return latch.count_down(); });
	check(order == "1w2", "count_down: " + order);
	co::channel<int> channel(0);
	order = order_of([&] { return channel.receive(); }, [&] { return channel.close(); });
	check(order == "1w2", "close: " + order);
	co::shared_mutex mutex;
	check(mutex.try_lock(), "a free shared mutex was not to be had");
	order = order_of([&] { return mutex.lock_shared(); }, [&] { return mutex.unlock(); });
	check(order == "1w2", "unlock of a shared mutex: " + order);
	order = order_of([&] { return mutex.lock(); }, [&] { return mutex.unlock_shared(); });
	check(order == "1w2", "unlock_shared: " + order);
	mutex.unlock_dispatch();
	co::barrier barrier(2);
	order = order_of([&] { return barrier.arrive_and_wait(); }, [&] { return barrier.arrive_and_wait(); });
	check(order == "12w", "the last at a barrier: " + order);
}

template <class Wait> co::task<> wait_for(Wait wait, std::string &log, std::string name)
{
	co_await wait();
	log += name;
}

/* What comes later waits, though it could be had, while one waits that cannot. */
void the_first_is_served_first()
{
	by_hand executor;
	std::string log;
	co::semaphore semaphore(1);
	co::spawn(executor, wait_for([&] { return semaphore.acquire(2); }, log, "2"));
	co::spawn(executor, wait_for([&] { return semaphore.acquire(1); }, log, "1"));
	executor.run_all();
	check(log.empty() && !semaphore.try_acquire(), "a permit was had by what came later");
	semaphore.release_dispatch(2);
	executor.run_all();
	check(log == "21", "semaphore: " + log);
	log.clear();
	co::shared_mutex mutex;
	check(mutex.try_lock_shared() && mutex.try_lock_shared() && !mutex.try_lock(),
	      "a shared mutex is not shared by two that read");
	co::spawn(executor, wait_for([&] { return mutex.lock(); }, log, "w"));
	co::spawn(executor, wait_for([&] { return mutex.lock_shared(); }, log, "r"));
	co::spawn(executor, wait_for([&] { return mutex.lock_shared(); }, log, "s"));
	executor.run_all();
	check(log.empty() && !mutex.try_lock_shared(), "one came to read before a writer that waits");
	mutex.unlock_shared_dispatch();
	executor.run_all();
	check(log.empty(), "a writer came in with a reader");
	mutex.unlock_shared_dispatch();
	executor.run_all();
	check(log == "w", "the writer did not come alone: " + log);
	mutex.unlock_dispatch();
	executor.run_all();
	check(log == "wrs", "those that read did not come together: " + log);
	mutex.unlock_shared_dispatch();
	mutex.unlock_shared_dispatch();
}

/* A coroutine runs on its executor, whatever lets it go on. */
co::task<> moves(co::executor own, by_hand &other, std::atomic<bool> &is_there)
{
	co_await co::resume_on(co::executor(other));
	is_there = true;
	co_await co::resume_on(own);
}

void runs_on_its_executor()
{
	by_hand first, second;
	co::mutex mutex;
	std::string log;
	check(mutex.try_lock(), "a free mutex was not to be had");
	co::spawn(second, lock_and_log(mutex, log, "b"));
	second.run_all();
	co::spawn(first, [](co::mutex &with, std::string &order) -> co::task<> {
		co_await with.unlock();
		order += "a";
	}(mutex, log));
	first.run_all();
	check(log == "a", "a coroutine of another executor ran here: " + log);
	second.run_all();
	check(log == "abb'", "a coroutine of another executor did not run there: " + log);
	std::atomic<bool> is_there{false};
	co::spawn(first, moves(first, second, is_there));
	first.run_all();
	check(!is_there, "resume_on() did not leave the executor");
	second.run_all();
	check(is_there, "resume_on() did not come to the executor");
	first.run_all();
}

} // namespace

int main()
{
	unlock_exchanges();
	set_exchanges_to_the_first();
	notify_exchanges();
	send_exchanges();
	close_lets_all_go();
	each_exchanges();
	the_first_is_served_first();
	a_long_chain_ends();
	runs_on_its_executor();
	return failures ? 1 : 0;
}

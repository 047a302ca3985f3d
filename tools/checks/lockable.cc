/*
 * The standard library's own locks and algorithms on Heddle's mutexes: std::scoped_lock, std::unique_lock and
 * std::shared_lock, used by many tasks at once.
 */
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <mutex>
#include <shared_mutex>

#include <heddle/guard.hpp>
#include <heddle/host.h>
#include <heddle/lockable.hpp>

#define CHECK(condition)                                                      \
	do {                                                                      \
		if (!(condition)) {                                                   \
			std::fprintf(stderr, "%d: not true: %s\n", __LINE__, #condition); \
			std::_Exit(EXIT_FAILURE);                                         \
		}                                                                     \
	} while (0)

namespace
{

using namespace std::chrono_literals;
constexpr int TASKS = 50, ROUNDS = 2000;

heddle::lockable::mutex first, second;
heddle::lockable::shared_mutex shared;
long in_first, in_both, written;

/* In one order and in the other: std::scoped_lock avoids the deadlock with try_lock(). */
intptr_t count(void *odd)
{
	for (int i = 0; i < ROUNDS; i++) {
		if (odd) {
			std::scoped_lock both(first, second);
			in_first++, in_both++;
		} else {
			std::scoped_lock both(second, first);
			in_first++, in_both++;
		}
		std::lock_guard guard(first);
		in_first++;
		if (i % 16 == 0)
			heddle::task_yield();
	}
	return 0;
}

intptr_t write_or_read(void *writes)
{
	for (int i = 0; i < ROUNDS; i++) {
		if (writes) {
			std::unique_lock guard(shared);
			written++;
		} else {
			std::shared_lock guard(shared);
			long before = written;
			heddle::task_yield();
			CHECK(written == before);
		}
	}
	return 0;
}

void by_all(heddle::task_function function)
{
	heddle::task *tasks[TASKS];
	for (int i = 0; i < TASKS; i++)
		CHECK(heddle::task_create(&tasks[i], function, reinterpret_cast<void *>(static_cast<intptr_t>(i % 2)),
		                          nullptr) == HEDDLE_OK);
	for (heddle::task *each : tasks)
		CHECK(heddle::task_join(each, nullptr) == HEDDLE_OK);
}

intptr_t try_it(void *)
{
	std::unique_lock busy(first, std::try_to_lock);
	std::unique_lock late(first, 1ms);
	std::unique_lock later(first, std::chrono::steady_clock::now() + 1ms);
	std::unique_lock past(first, -1s);
	/* Too far away for a difference: past, all the same. */
	using std::chrono::steady_clock, std::chrono::system_clock, std::chrono::hours;
	using hour = std::chrono::time_point<system_clock, hours>;
	std::unique_lock least(first, hours::min());
	std::unique_lock first_of_all(first, steady_clock::time_point::min());
	std::unique_lock first_day(first, system_clock::time_point::min());
	std::unique_lock first_hour(first, hour::min());
	std::unique_lock first_to_write(shared, hour::min());
	if (least || first_of_all || first_day || first_hour || first_to_write)
		return 1;
	std::unique_lock writable(shared, std::try_to_lock);
	std::shared_lock readable(shared, std::try_to_lock);
	return busy || late || later || past || !readable || writable;
}

/* Waits for ever, that is until it is free. */
intptr_t lock_some_time(void *)
{
	CHECK(first.try_lock_for(std::chrono::hours::max()));
	first.unlock();
	CHECK(first.try_lock_until(std::chrono::steady_clock::time_point::max()));
	first.unlock();
	CHECK(
	    first.try_lock_until(std::chrono::time_point<std::chrono::system_clock, std::chrono::hours>::max()));
	first.unlock();
	CHECK(first.try_lock_until(std::chrono::steady_clock::time_point::min())); /* it is free */
	first.unlock();
	return 0;
}

/* A cancellation during the wait: it continues to wait, and the next wait is cancelled. */
intptr_t lock_cancelled(void *)
{
	first.lock();
	first.unlock();
	return heddle::task_sleep_until(heddle_clock() + UINT64_C(60000000000));
}

void check_tries()
{
	heddle::task *other;
	intptr_t result = -1;
	std::unique_lock held(first);
	std::shared_lock read(shared);
	CHECK(heddle::task_create(&other, try_it, nullptr, nullptr) == HEDDLE_OK);
	CHECK(heddle::task_join(other, &result) == HEDDLE_OK && result == 0);
	heddle::task *patient;
	CHECK(heddle::task_create(&patient, lock_some_time, nullptr, nullptr) == HEDDLE_OK);
	CHECK(heddle::task_create(&other, lock_cancelled, nullptr, nullptr) == HEDDLE_OK);
	heddle::task_yield();
	CHECK(heddle::task_cancel(other) == HEDDLE_OK);
	heddle::task_yield();
	held.unlock();
	CHECK(heddle::task_join(other, &result) == HEDDLE_OK && result == HEDDLE_CANCELLED);
	CHECK(heddle::task_join(patient, nullptr) == HEDDLE_OK);
	CHECK(second.try_lock_for(1h));
	second.unlock();
}

intptr_t check_all(void *)
{
	check_tries();
	by_all(count);
	CHECK(in_first == 2L * TASKS * ROUNDS && in_both == 1L * TASKS * ROUNDS);
	by_all(write_or_read);
	CHECK(written == TASKS / 2L * ROUNDS);
	return 0;
}

} // namespace

int main()
{
	for (const char *words : {"processors=1", "processors=3"}) {
		intptr_t result = -1;
		in_first = in_both = written = 0;
		CHECK(heddle_start(words) == HEDDLE_OK);
		CHECK(heddle_run(check_all, nullptr, &result) == HEDDLE_OK && result == 0);
		CHECK(heddle_stop() == 0);
	}
	std::puts("done");
}

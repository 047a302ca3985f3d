/* C++: guards hold a lock from constructor to destructor, and say why if they do not hold it. */
#include "heddle/guard.hpp"

#include "heddle/event.h"
#include "heddle/system.h"
#include "user/test/test.h"

using namespace heddle;

namespace
{

constexpr uint64_t PAST = 1;

/* Calls a function object in another task, and waits for its end. */
template <class Function> heddle_error elsewhere(Function function)
{
	struct task *task;
	heddle_error error = task_create(
	    &task, [](void *argument) -> intptr_t { return (*static_cast<Function *>(argument))(); }, &function,
	    nullptr);
	intptr_t result = HEDDLE_OK;
	if (error == HEDDLE_OK)
		error = task_join(task, &result);
	return error == HEDDLE_OK ? static_cast<heddle_error>(result) : error;
}

} // namespace

TEST(guard, mutex)
{
	struct mutex mutex = HEDDLE_MUTEX_INITIALIZER;
	auto try_it = [&] {
		heddle_error error = mutex_try_lock(&mutex);
		return error == HEDDLE_OK ? mutex_unlock(&mutex) : error;
	};
	{
		heddle::mutex_guard guard(mutex);
		CHECK(guard);
		CHECK_EQUAL(guard.error(), HEDDLE_OK);
		CHECK_EQUAL(elsewhere(try_it), HEDDLE_BUSY);
		CHECK_EQUAL(elsewhere([&] { return heddle::mutex_guard(mutex, PAST).error(); }), HEDDLE_TIMED_OUT);
	}
	CHECK_EQUAL(elsewhere(try_it), HEDDLE_OK);
	heddle::mutex_guard guard(mutex);
	CHECK_EQUAL(guard.unlock(), HEDDLE_OK);
	CHECK(!guard);
	CHECK_EQUAL(guard.unlock(), HEDDLE_OK);
	CHECK_EQUAL(elsewhere(try_it), HEDDLE_OK);
	CHECK_EQUAL(mutex_destroy(&mutex), HEDDLE_OK);
}

TEST(guard, reader_writer_lock)
{
	struct reader_writer_lock lock = HEDDLE_READER_WRITER_LOCK_INITIALIZER;
	auto read_it = [&] { return heddle::read_guard(lock, PAST).error(); };
	auto write_it = [&] { return heddle::write_guard(lock, PAST).error(); };
	{
		heddle::read_guard guard(lock);
		CHECK(guard);
		CHECK_EQUAL(elsewhere(read_it), HEDDLE_OK);
		CHECK_EQUAL(elsewhere(write_it), HEDDLE_TIMED_OUT);
	}
	{
		heddle::write_guard guard(lock);
		CHECK(guard);
		CHECK_EQUAL(elsewhere(read_it), HEDDLE_TIMED_OUT);
	}
	CHECK_EQUAL(elsewhere(write_it), HEDDLE_OK);
	CHECK_EQUAL(reader_writer_lock_destroy(&lock), HEDDLE_OK);
}

TEST(guard, delegation_lock_of_all_nodes)
{
	static struct qd_slot slots[HEDDLE_QD_SLOTS];
	static struct hqd_lock lock;
	CHECK_EQUAL(hqd_lock_create(&lock, 1, slots, HEDDLE_QD_SLOTS, HEDDLE_QD_LIMIT), HEDDLE_OK);
	{
		heddle::hqd_guard guard(lock);
		CHECK(guard);
		CHECK_EQUAL(elsewhere([] { return heddle::hqd_guard(lock, PAST).error(); }), HEDDLE_TIMED_OUT);
	}
	CHECK_EQUAL(elsewhere([] { return heddle::hqd_guard(lock, PAST).error(); }), HEDDLE_OK);
	CHECK_EQUAL(hqd_lock_destroy(&lock), HEDDLE_OK);
}

TEST(guard, semaphore)
{
	struct semaphore semaphore = HEDDLE_SEMAPHORE_INITIALIZER(3);
	{
		heddle::semaphore_guard two(semaphore, 2);
		CHECK(two);
		CHECK_EQUAL(semaphore_permits(&semaphore), 1);
		CHECK_EQUAL(heddle::semaphore_guard(semaphore, 2, PAST).error(), HEDDLE_TIMED_OUT);
		CHECK_EQUAL(two.release(), HEDDLE_OK);
		CHECK_EQUAL(semaphore_permits(&semaphore), 3);
	}
	CHECK_EQUAL(semaphore_permits(&semaphore), 3);
	{
		heddle::semaphore_guard one(semaphore);
		one.keep();
	}
	CHECK_EQUAL(semaphore_permits(&semaphore), 2);
}

TEST(guard, condition)
{
	struct mutex mutex = HEDDLE_MUTEX_INITIALIZER;
	struct condition condition = HEDDLE_CONDITION_INITIALIZER;
	int value = 0;
	struct task *task;
	auto add = [&] {
		for (int i = 0; i < 5; i++) {
			heddle::mutex_guard guard(mutex);
			value++;
			condition_notify_all(&condition);
		}
		return HEDDLE_OK;
	};
	using adder = decltype(add);
	auto run = [](void *argument) -> intptr_t { return (*static_cast<adder *>(argument))(); };
	{
		heddle::mutex_guard guard(mutex);
		CHECK_EQUAL(guard.wait_until(condition, PAST), HEDDLE_TIMED_OUT);
		CHECK_EQUAL(guard.wait_until(condition, PAST, [&] { return value == 0; }), HEDDLE_OK);
		CHECK_EQUAL(guard.wait_until(condition, PAST, [&] { return value == 1; }), HEDDLE_TIMED_OUT);
		CHECK_EQUAL(task_create(&task, run, &add, nullptr), HEDDLE_OK);
		CHECK_EQUAL(guard.wait(condition, [&] { return value == 5; }), HEDDLE_OK);
		CHECK_EQUAL(value, 5);
	}
	CHECK_EQUAL(task_join(task, nullptr), HEDDLE_OK);
	CHECK_EQUAL(condition_destroy(&condition), HEDDLE_OK);
	CHECK_EQUAL(mutex_destroy(&mutex), HEDDLE_OK);
}

TEST(guard, uncooperative_section)
{
	struct event event = HEDDLE_EVENT_INITIALIZER;
	heddle_error error;
	{
		heddle::uncooperative_guard guard;
		heddle_error (*volatile wait)(struct event *) = event_wait;
		error = wait(&event);
	}
	CHECK_EQUAL(error, HEDDLE_UNCOOPERATIVE);
	CHECK_EQUAL(event_wait_until(&event, PAST), HEDDLE_TIMED_OUT);
}

/* C++: futures with values of many kinds, which are destroyed once. */
#include "heddle/future.hpp"

#include "heddle/system.h"
#include "user/test/test.h"

using namespace heddle;

namespace
{

/* Counts the living objects. */
struct counted {
	static int alive;
	int number;

	explicit counted(int n) : number(n)
	{
		alive++;
	}
	counted(counted &&other) : number(other.number)
	{
		other.number = 0;
		alive++;
	}
	counted &operator=(counted &&) = delete;
	~counted()
	{
		alive--;
	}
};

int counted::alive;

struct line {
	uint64_t words[HEDDLE_FUTURE_ROOM / sizeof(uint64_t)];
};

intptr_t keep_promise(void *argument)
{
	heddle::promise<int> promise = heddle::meta::move(*static_cast<heddle::promise<int> *>(argument));
	return promise.set(42);
}

} // namespace

TEST(future_cc, comes_from_another_task)
{
	heddle::promise<int> promise;
	heddle::future<int> future = promise.get_future();
	struct task *task;
	CHECK(promise && future);
	CHECK(!promise.get_future());
	CHECK_EQUAL(future.wait_until(1), HEDDLE_TIMED_OUT);
	CHECK_EQUAL(task_create(&task, keep_promise, &promise, nullptr), HEDDLE_OK);
	CHECK_EQUAL(future.get(), 42);
	CHECK_EQUAL(future.value(), 42);
	CHECK_EQUAL(task_join(task, nullptr), HEDDLE_OK);
	CHECK(!promise);
	CHECK_EQUAL(promise.set(1), HEDDLE_BROKEN);
}

TEST(future_cc, destroys_its_value_once)
{
	counted::alive = 0;
	for (int order = 0; order < 3; order++) {
		heddle::future<counted> future;
		{
			heddle::promise<counted> promise;
			if (order != 2)
				future = promise.get_future();
			CHECK_EQUAL(promise.set(7), HEDDLE_OK);
			CHECK_EQUAL(promise.set(8), HEDDLE_ALREADY_SET);
			CHECK_EQUAL(counted::alive, 1);
		}
		CHECK_EQUAL(counted::alive, order != 2);
		if (order == 0) {
			heddle::future<counted> moved = heddle::meta::move(future);
			CHECK(!future);
			CHECK_EQUAL(moved.get().number, 7);
			CHECK_EQUAL(moved.value().number, 0);
		}
	}
	CHECK_EQUAL(counted::alive, 0);
}

TEST(future_cc, of_void_and_of_a_whole_line)
{
	heddle::promise<void> done;
	heddle::promise<line> full;
	heddle::future<void> is_done = done.get_future();
	heddle::future<line> is_full = full.get_future();
	CHECK(!is_done.is_set());
	CHECK_EQUAL(done.set(), HEDDLE_OK);
	CHECK(is_done.is_set());
	is_done.get();
	CHECK_EQUAL(full.set_by([] { return line{{1, 2, 3, 4, 5, 6, 7, 8}}; }), HEDDLE_OK);
	CHECK_EQUAL(is_full.get().words[7], 8);
}

TEST(future_cc, is_broken_without_its_promise)
{
	heddle::future<int> future;
	CHECK_EQUAL(future.wait(), HEDDLE_BROKEN);
	{
		heddle::promise<int> promise;
		future = promise.get_future();
		CHECK(!future.is_set());
	}
	CHECK(future.is_set());
	CHECK_EQUAL(future.wait(), HEDDLE_BROKEN);
}

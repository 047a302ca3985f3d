/* C++: sections of many kinds, delegated to queue delegation locks. */
#include "heddle/qd.hpp"

#include <atomic>

#include "heddle/system.h"
#include "user/crew.h"
#include "user/test/test.h"

namespace
{

constexpr size_t MEMBERS = 12, ROUNDS = 600;

void multiply(uint64_t *a, uint64_t b)
{
	*a = *a * b;
}

uint64_t count_up(uint64_t *a)
{
	return ++*a;
}

/* The paper's message: a pointer and a number; one word more with a pointer to the function. */
static_assert(sizeof(heddle::message_for<heddle::constant_function<&multiply>, uint64_t *, uint64_t>) == 16 &&
                  sizeof(heddle::message_for<decltype(&multiply), uint64_t *, uint64_t>) == 24,
              "a function that is known takes no room");

/* Counts the living objects; one that was moved from has no number. */
struct counted {
	static std::atomic<int> alive;
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
	~counted()
	{
		alive--;
	}
};

std::atomic<int> counted::alive;

/* What a crew shares. The lock protects everything except `wrong`. */
template <class Lock> struct shared {
	Lock lock;
	uint64_t value = 0, sum = 0, last[MEMBERS] = {};
	std::atomic<uint64_t> wrong{0};
};

template <class Lock> heddle_error run_crew(shared<Lock> &all, intptr_t (*member)(size_t, void *))
{
	struct crew crew = {};
	intptr_t sum;
	crew.name = "delegation";
	crew.function = member;
	crew.argument = &all;
	crew.count = MEMBERS;
	heddle_error error = crew_create(&crew);
	if (error != HEDDLE_OK)
		return error;
	crew_start(&crew);
	return crew_join(&crew, &sum);
}

/* Each kind of section in turn. Effects of one task come in the order in which it delegated them. */
template <class Lock> intptr_t delegate_each_kind(size_t number, void *argument)
{
	auto *all = static_cast<shared<Lock> *>(argument);
	for (uint64_t round = 1; round <= ROUNDS; round++) {
		uint64_t *last = &all->last[number];
		heddle_error error = all->lock.delegate_n(
		    [all, last](uint64_t at) {
			    all->wrong += *last + 1 != at;
			    *last = at;
			    all->value++;
		    },
		    round);
		if (round % 4 == 0)
			error = all->lock.delegate_n(count_up, &all->value);
		if (round % 4 == 1)
			error = all->lock.template delegate_n<&count_up>(&all->value);
		if (round % 4 == 2)
			error = all->lock.delegate_n([all](counted &&c) { all->sum += c.number; }, counted(3));
		if (round % 4 == 3)
			error = all->lock.delegate_wait([all, last, round, &error] { all->wrong += *last != round; });
		all->wrong += error != HEDDLE_OK;
	}
	return 0;
}

template <class Lock> void check_each_kind(struct test_state *test)
{
	static shared<Lock> all;
	counted::alive = 0;
	all.value = all.sum = 0;
	for (uint64_t &last : all.last)
		last = 0;
	CHECK_EQUAL(run_crew(all, delegate_each_kind<Lock>), HEDDLE_OK);
	CHECK_EQUAL(all.wrong, 0);
	CHECK_EQUAL(all.value, MEMBERS * (ROUNDS + ROUNDS / 2));
	CHECK_EQUAL(all.sum, MEMBERS * (ROUNDS / 4) * 3);
	CHECK_EQUAL(counted::alive, 0);
}

/* Futures of numbers and of counted objects; some are never read. */
intptr_t delegate_futures(size_t, void *argument)
{
	auto *all = static_cast<shared<heddle::qdlock> *>(argument);
	for (uint64_t round = 0; round < ROUNDS / 4; round++) {
		auto number = all->lock.delegate_f(count_up, &all->value);
		auto again = all->lock.delegate_f<&count_up>(&all->value);
		auto object = all->lock.delegate_f([all](counted c) { return counted(c.number + 1); }, counted(1));
		auto nothing = all->lock.delegate_f([all] { all->sum++; });
		if (round % 4 == 0)
			continue;
		all->wrong += object.wait() != HEDDLE_OK || object.value().number != 2;
		/* Earlier ones have run by then. */
		all->wrong += !number.is_set() || !again.is_set() || number.get() >= again.get();
		all->wrong += nothing.wait() != HEDDLE_OK;
	}
	return 0;
}

/* A lock with such a short queue that most delegations find it full. */
using short_lock = heddle::sized_qdlock<2, 2>;

} // namespace

TEST(delegation_cc, each_kind_of_section)
{
	check_each_kind<heddle::qdlock>(test);
}

TEST(delegation_cc, each_kind_of_section_with_readers)
{
	check_each_kind<heddle::mrqdlock>(test);
}

TEST(delegation_cc, each_kind_of_section_in_a_short_queue)
{
	check_each_kind<short_lock>(test);
}

TEST(delegation_cc, futures)
{
	static shared<heddle::qdlock> all;
	counted::alive = 0;
	all.value = all.sum = 0;
	CHECK_EQUAL(run_crew(all, delegate_futures), HEDDLE_OK);
	CHECK_EQUAL(all.wrong, 0);
	CHECK_EQUAL(all.value, MEMBERS * (ROUNDS / 4) * 2);
	CHECK_EQUAL(all.sum, MEMBERS * (ROUNDS / 4));
	CHECK_EQUAL(counted::alive, 0);
}

/* The paper's examples. */
TEST(delegation_cc, arguments)
{
	heddle::mrqdlock lock;
	uint64_t value = 1;
	CHECK_EQUAL(lock.delegate_n(&multiply, &value, 2), HEDDLE_OK);
	CHECK_EQUAL(lock.delegate_n<&multiply>(&value, 3), HEDDLE_OK);
	CHECK_EQUAL(lock.delegate_n([](uint64_t *a, int b) { *a = *a * b; }, &value, 7), HEDDLE_OK);
	CHECK_EQUAL(lock.delegate_f([](uint64_t *a) { return *a; }, &value).get(), 42);
	/* The section got a copy. */
	uint64_t copied = 5;
	CHECK_EQUAL(lock.delegate_n(
	                [&value](uint64_t &&mine) {
		                value = mine;
		                mine = 0;
	                },
	                copied),
	            HEDDLE_OK);
	CHECK_EQUAL(lock.read_lock(), HEDDLE_OK);
	CHECK_EQUAL(value, 5);
	CHECK_EQUAL(lock.read_unlock(), HEDDLE_OK);
	CHECK_EQUAL(copied, 5);
	CHECK_EQUAL(mrqd_lock_destroy(&lock.native()), HEDDLE_OK);
}

/* A section delegates to its own lock; a guard holds it while others delegate. */
TEST(delegation_cc, from_inside_and_with_guards)
{
	static heddle::mrqdlock lock;
	static uint64_t steps[4], count;
	count = 0;
	auto note = [](uint64_t step) { steps[count++] = step; };
	CHECK_EQUAL(lock.delegate_n([note] {
		lock.delegate_n(note, uint64_t(2));
		note(1);
	}),
	            HEDDLE_OK);
	{
		heddle::mrqd_guard guard(lock.native());
		CHECK(guard);
		CHECK_EQUAL(count, 2);
		CHECK_EQUAL(lock.delegate_n(note, uint64_t(4)), HEDDLE_OK);
		note(3);
		CHECK_EQUAL(count, 3);
	}
	heddle::mrqd_read_guard guard(lock.native());
	CHECK(guard);
	CHECK_EQUAL(count, 4);
	for (uint64_t i = 0; i < count; i++)
		CHECK_EQUAL(steps[i], i + 1);
}

template <class Lock> intptr_t end_as_holder(void *lock)
{
	return static_cast<Lock *>(lock)->lock();
}

/* The lock's queue is open then: it must not stay so. */
template <class Lock> void check_end_of_holder(struct test_state *test)
{
	static Lock lock;
	heddle::task *task;
	intptr_t result = HEDDLE_BUSY;
	unsigned count = 0;
	CHECK_EQUAL(heddle::task_create(&task, end_as_holder<Lock>, &lock, nullptr), HEDDLE_OK);
	CHECK_EQUAL(heddle::task_join(task, &result), HEDDLE_OK);
	CHECK_EQUAL(result, HEDDLE_OK);
	CHECK_EQUAL(lock.delegate_wait([&count] { count++; }), HEDDLE_OK);
	CHECK_EQUAL(count, 1);
}

TEST(delegation_cc, end_of_a_holder)
{
	check_end_of_holder<heddle::qdlock>(test);
}

TEST(delegation_cc, end_of_a_holder_with_readers)
{
	check_end_of_holder<heddle::mrqdlock>(test);
}

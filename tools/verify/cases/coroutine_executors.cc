/* Where coroutines run: two executors, each with one processor. */
#include "coroutines.hpp"

namespace co = heddle::coroutine;

static model::made<co::task<int>> kept;
static bool has_ended;
static unsigned ends;

/* Of the executor that awaits it. */
static co::task<int> goes_there_and_back(unsigned from)
{
	model::executor &own = model::executors[from], &other = model::executors[1 - from];
	model::expect_on(own);
	co_await co::resume_on(other);
	model::expect_on(other);
	co_await co::resume_on(own);
	model::expect_on(own);
	co_return 7;
}

static co::task<int> goes_there(unsigned from)
{
	model::executor &other = model::executors[1 - from];
	co_await co::resume_on(other);
	model::expect_on(other);
	co_return 8;
}

/* The one that awaits belongs to its own executor still. */
template <unsigned from> static co::task<> awaits()
{
	int result = co_await goes_there(from);
	model::expect(result == 8, "a task returns something else");
	model::expect_on(model::executors[from]);
	ends++;
}

template <unsigned from> static co::task<> awaits_round_trip()
{
	int result = co_await goes_there_and_back(from);
	model::expect(result == 7, "a task returns something else");
	model::expect_on(model::executors[from]);
	ends++;
}

static co::task<> yields()
{
	co_await co::yield();
	ends++;
}

static void expect_two_ends()
{
	model::expect(ends == 2, "a coroutine has not ended");
}

static co::task<int> returns_nine()
{
	co_await co::resume_on(model::executors[1]);
	co_return 9;
}

/* Kept by the case; its end is told on the executor where it began. */
static void prepare_kept()
{
	kept.make("kept", returns_nine());
	co::start(model::executors[0], *kept, []() noexcept {
		model::expect_on(model::executors[0]);
		has_ended = true;
	});
}

static void finish_kept()
{
	model::expect(has_ended && kept->take() == 9, "a task has not ended");
	kept.destroy();
}

const explore_case explore_cases[] = {
    COROUTINES("coroutine_executors.there", false, 2, 2, nullptr, expect_two_ends, {awaits<0>, awaits<1>},
               nullptr, true),
    COROUTINES("coroutine_executors.there-and-back", false, 2, 2, nullptr, expect_two_ends,
               {awaits_round_trip<0>, awaits_round_trip<1>}),
    COROUTINES("coroutine_executors.yield", false, 2, 1, nullptr, expect_two_ends, {yields, yields}),
    COROUTINES("coroutine_executors.kept", false, 2, 2, prepare_kept, finish_kept, {}),
    {},
};

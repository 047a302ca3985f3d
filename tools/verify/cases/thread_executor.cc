/*
 * The executor of coroutines on threads: its queues, how it steals, sleeps and ends. Its two threads are virtual
 * processors; the last one is the thread that made it, and destroys it in the end.
 */
#include "coroutines.hpp"

#include "heddle/thread_executor.hpp"

namespace co = heddle::coroutine;

constexpr unsigned WORKS = 4;

struct script {
	void (*prepare)(); /* posts in the set-up */
	void (*outside)(); /* before it is destroyed */
	unsigned works;    /* that run, each once */
};

static model::made<co::thread_executor> executor;
static model::made<model::owned> works[WORKS];
static bool has_begun[WORKS];
static unsigned ran;

static void run(unsigned number)
{
	model::expect(!has_begun[number], "a work is run twice");
	has_begun[number] = true;
	ran++;
}

AS_MEMORY_IS static bool is_true(void *flag)
{
	return *static_cast<const bool *>(flag);
}

static model::owned runs(unsigned number)
{
	run(number);
	co_return;
}

/* Another must run at the same time. */
static model::owned meets(unsigned number, unsigned other)
{
	run(number);
	explore_wait(is_true, &has_begun[other]);
	co_return;
}

/* The last of them, which the others are made by. */
static model::owned posts_others()
{
	run(WORKS - 1);
	for (unsigned i = 0; i < WORKS - 1; i++)
		works[i]->post(*executor);
	co_return;
}

/* The other thread must run what it posts. */
static model::owned posts_and_meets()
{
	run(1);
	works[0]->post(*executor);
	explore_wait(is_true, &has_begun[0]);
	co_return;
}

AS_MEMORY_IS static bool have_all_run(void *number)
{
	return ran == *static_cast<const unsigned *>(number);
}

/* ---- set-ups ---- */

static void prepare_two()
{
	for (unsigned i = 0; i < 2; i++)
		works[i].make("work", runs(i));
	works[0]->post(*executor);
	works[1]->post(*executor);
}

static void prepare_one_by_another()
{
	works[0].make("work 0", runs(0));
	works[1].make("work 1", posts_and_meets());
	works[1]->post(*executor);
}

static void prepare_meeting()
{
	works[0].make("work 0", meets(0, 1));
	works[1].make("work 1", meets(1, 0));
	works[2].make("work 2", runs(2));
	works[3].make("work 3", posts_others());
	works[3]->post(*executor);
}

static void prepare_none()
{
	for (unsigned i = 0; i < 2; i++)
		works[i].make("work", runs(i));
}

static void posts_two()
{
	works[0]->post(*executor);
	works[1]->post(*executor);
}

/* ---- cases ---- */

static void set_up(const explore_case *explored)
{
	auto own = static_cast<const script *>(explored->script);
	explore_set_up_as(EXPLORE_PROCESSORS - 1);
	executor.make("executor", 2u);
	own->prepare();
}

static void await_all(unsigned number)
{
	explore_wait(have_all_run, &number);
}

static void program(const explore_case *explored, unsigned processor)
{
	auto own = static_cast<const script *>(explored->script);
	if (processor < 2) {
		model::run_thread(processor);
		return;
	}
	if (own->outside)
		own->outside();
	executor.destroy();
	model::expect(ran == own->works, "a work was not run");
}

static const char *check(const explore_case *)
{
	return nullptr;
}

static constexpr script TWO = {prepare_two, nullptr, 2}, POSTED = {prepare_none, posts_two, 2},
                        BY_ANOTHER = {prepare_one_by_another, nullptr, 2},
                        MEETING = {prepare_meeting, [] { await_all(4); }, 4},
                        MEETING_AT_END = {prepare_meeting, nullptr, 4};

static constexpr explore_case executor_case(const char *name, const script &own)
{
	return {name, 3, false, 0, &own, set_up, program, check};
}

const explore_case explore_cases[] = {
    executor_case("thread_executor.two", TWO),
    executor_case("thread_executor.posted", POSTED),
    executor_case("thread_executor.posted-by-another", BY_ANOTHER),
    executor_case("thread_executor.meeting", MEETING),
    executor_case("thread_executor.meeting-at-end", MEETING_AT_END),
    {},
};

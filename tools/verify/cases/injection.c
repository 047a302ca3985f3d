/*
 * Work from a thread that is no processor: requests are accepted once each, in order, and their tasks run, whether
 * the processor is busy, is about to halt, or halts. The last virtual processor is that thread.
 */
#include "scheduling.h"

#include "sched/injection.h"
#include "sched/scheduler.h"

#define REQUESTS 2

static unsigned accepted, ran;

static intptr_t run(void *unused)
{
	(void)unused;
	ran++;
	return 0;
}

static void accept_next(struct injection *injection, enum heddle_error error);

static struct injection requests[REQUESTS] = {{NULL, run, NULL, accept_next}, {NULL, run, NULL, accept_next}};

static void accept_next(struct injection *injection, enum heddle_error error)
{
	if (error != HEDDLE_OK || injection != &requests[accepted])
		explore_fail("a request is accepted twice, or before an older one");
	accepted++;
}

static bool all_ran(void *unused)
{
	(void)unused;
	return ran == REQUESTS;
}

/* In the order of heddle_stop(). */
static void submit_all(void)
{
	for (unsigned i = 0; i < REQUESTS; i++)
		injection_submit(&requests[i]);
	explore_wait(all_ran, NULL);
	scheduler_stop();
	injection_close();
}

static void program(const struct explore_case *explored, unsigned processor)
{
	if (processor == processor_count)
		submit_all();
	else
		scheduling_program(explored, processor);
}

static void set_up(const struct explore_case *explored)
{
	processor_count = explored->processors - 1;
	scheduling_set_up(explored);
	injection_open();
}

#define CASE(title, count, longer, limit, chosen)                                                  \
	{                                                                                              \
		.name = "injection." title, .processors = count, .long_run = longer, .switches = limit,    \
		.script = &(struct scheduling){SCHEDULER_##chosen, scheduling_return_seven, 1 + REQUESTS}, \
		.set_up = set_up, .program = program, .check = scheduling_check                            \
	}

const struct explore_case explore_cases[] = {
    CASE("local", 2, false, 2, LOCAL),
    CASE("global", 2, false, 2, GLOBAL),
    CASE("two-processors", 3, true, 1, LOCAL),
    {0},
};

/*
 * The watch for others' deadlines (timer_watch.h), alone: processor 0 runs a task and has one deadline after the
 * other, the others are idle. Whatever happened before, one of them interrupts it for the last deadline.
 */
#include "explorer.h"

#include "sched/idle.c"
#include "sched/timer_watch.c"

#define LAST  2 /* the deadline that processor 0 does not handle */
#define CLOCK 4 /* up to here time passes by itself */

static struct scheduler schedulers[EXPLORE_PROCESSORS];
static bool woken[EXPLORE_PROCESSORS], interrupted;
static uint64_t now;

struct watch_script {
	uint64_t deadlines[4]; /* of processor 0; 0 ends them */
	bool gives_up;         /* processor 1 finds a task after looking once */
};

/* ---- replacements for what is below ---- */

uint64_t arch_clock(void)
{
	return now;
}

void arch_processor_interrupt(struct processor *processor)
{
	explore_pause();
	explore_note("-- interrupts processor %u", processor->index);
	interrupted |= processor->scheduler->watched == LAST;
}

static bool wake(int index)
{
	if (index >= 0) {
		explore_pause();
		explore_note("-- wakes processor %d", index);
		woken[index] = true;
	}
	return index >= 0;
}

bool wake_next(void)
{
	return wake(idle_claim_one(explore_processor() + 1));
}

bool wake_home(struct processor *home)
{
	return wake(idle_claim(home->index) ? (int)home->index : -1);
}

/* ---- programs ---- */

struct halt {
	unsigned processor;
	uint64_t deadline;
};

static bool is_over(void *argument)
{
	const struct halt *halt = argument;
	return interrupted || woken[halt->processor] || halt->deadline <= CLOCK;
}

/* One turn of the idle loop. */
static void rest(unsigned processor)
{
	idle_announce(processor);
	struct halt halt = {processor, timer_watch(&schedulers[processor])};
	explore_note("-- halts");
	explore_wait(is_over, &halt);
	if (!woken[processor] && halt.deadline <= CLOCK && halt.deadline > now)
		now = halt.deadline;
	woken[processor] = false;
	idle_withdraw(processor);
}

static void program(const struct explore_case *explored, unsigned processor)
{
	const struct watch_script *script = explored->script;
	for (unsigned i = 0; processor == 0 && script->deadlines[i]; i++)
		timer_watch_set(&schedulers[0], script->deadlines[i]);
	if (processor == 1 && script->gives_up) {
		rest(processor);
		timer_watch_busy(&schedulers[1], UINT64_MAX);
	} else if (processor > 0) {
		while (!interrupted)
			rest(processor);
	}
}

static void set_up(const struct explore_case *explored)
{
	timer_watch_start();
	explore_name(&watcher, sizeof watcher, "watcher");
	explore_name(&watched_until, sizeof watched_until, "until");
	explore_name(&idle_set, sizeof idle_set, "idle");
	for (unsigned i = 0; i < explored->processors; i++) {
		schedulers[i].processor = &processors[i];
		processors[i].scheduler = &schedulers[i];
		atomic_store_explicit(&schedulers[i].watched, UINT64_MAX, memory_order_relaxed);
		explore_name(&schedulers[i].watched, sizeof schedulers[i].watched, "watched%u", i);
	}
}

static const char *check(const struct explore_case *explored)
{
	(void)explored;
	return interrupted ? NULL : "a deadline is forgotten";
}

#define CASE(title, count, longer, ...)                                                                     \
	{                                                                                                       \
		.name = "timer_watch." title, .processors = count, .long_run = longer,                              \
		.script = &(struct watch_script){__VA_ARGS__}, .set_up = set_up, .program = program, .check = check \
	}

const struct explore_case explore_cases[] = {
    CASE("one", 2, false, {LAST}),
    CASE("after-another", 2, false, {1, UINT64_MAX, LAST}),
    CASE("given-up", 3, false, {LAST}, .gives_up = true),
    CASE("two-watch", 3, true, {1, UINT64_MAX, LAST}),
    {0},
};

#include "sched/brisk.h"

#include "sched/levels.h"
#include "sched/plain.h"
#include "sched/ready.h"
#include "sched/timer.h"

/* In nanoseconds. */
#define SHORT       1000    /* a task: to take it takes about that long */
#define WORTH       3000    /* tasks that wait: to wake a processor for less takes longer */
#define SHORT_LEAST 50000   /* how long tasks are taken to be short, at first; */
#define SHORT_MOST  1600000 /* twice as long each time, up to this */

/* -------------------------------------------------------------------------------- what is known -- */

/* Whether tasks there are known to be short, or were lately. */
static bool were_short(const struct scheduler *scheduler, uint64_t now)
{
	uint64_t until = atomic_load_explicit(&scheduler->short_until, memory_order_relaxed);
	return until && now < until + SHORT_LEAST;
}

/* The tasks of `scheduler` are short, as are those of `like`. */
static void set_short(struct scheduler *scheduler, const struct scheduler *like, uint64_t now)
{
	uint64_t before = atomic_load_explicit(&like->short_for, memory_order_relaxed);
	uint64_t time = were_short(like, now) ? 2 * before : SHORT_LEAST;
	if (time > SHORT_MOST)
		time = SHORT_MOST;
	/* Usually it is known already, and the line stays where it is. */
	if (now + time / 2 < atomic_load_explicit(&scheduler->short_until, memory_order_relaxed))
		return;
	atomic_store_explicit(&scheduler->short_for, time, memory_order_relaxed);
	atomic_store_explicit(&scheduler->short_until, now + time, memory_order_relaxed);
}

static void forget_short(struct scheduler *scheduler)
{
	atomic_store_explicit(&scheduler->short_until, 0, memory_order_relaxed);
}

void brisk_take(struct scheduler *scheduler, struct scheduler *owner, uint64_t count)
{
	uint64_t now = arch_clock();
	scheduler->haul = (struct haul){owner, now, scheduler_switches(scheduler) - count};
	if (were_short(owner, now))
		set_short(scheduler, owner, now);
}

void brisk_judge(struct scheduler *scheduler)
{
	struct haul haul = scheduler->haul;
	scheduler->haul.owner = NULL;
	if (!haul.owner)
		return;
	uint64_t now = arch_clock(), tasks = scheduler_switches(scheduler) - haul.switches;
	if (now - haul.taken_at < SHORT * tasks) {
		set_short(haul.owner, haul.owner, now);
		set_short(scheduler, scheduler, now);
	}
}

/* --------------------------------------------------------------------------------------- looks -- */

/* Be brisk until then; 0: no longer. What was decided for plain puts is decided anew (plain_allow()). */
static void set_brisk(struct scheduler *scheduler, uint64_t until)
{
	if (atomic_load_explicit(&scheduler->brisk_until, memory_order_relaxed) == until)
		return;
	atomic_store_explicit(&scheduler->brisk_until, until, memory_order_relaxed);
	plain_forbid(scheduler);
	timer_let_watch(scheduler);
}

static void tell_again(struct scheduler *scheduler)
{
	set_brisk(scheduler, 0);
	ready_share_moved(scheduler);
}

/* How long a task has run on the average since the last look; nanoseconds. */
static uint64_t time_of_each(struct scheduler *scheduler, uint64_t now)
{
	uint64_t switches = scheduler_switches(scheduler);
	uint64_t time = (now - scheduler->brisk_looked) / (switches - scheduler->brisk_switches + 1);
	scheduler->brisk_switches = switches;
	scheduler->brisk_looked = now;
	return time;
}

static uint64_t waiting(struct scheduler *scheduler)
{
	uint64_t count = 0;
	for (uint32_t levels = levels_anywhere(scheduler); levels; levels &= levels - 1)
		count += local_queue_count(&scheduler->local[__builtin_ctz(levels)]);
	return count;
}

static void look_now(void *argument)
{
	struct scheduler *scheduler = argument;
	uint64_t now = arch_clock(), each = time_of_each(scheduler, now);
	uint64_t until = atomic_load_explicit(&scheduler->short_until, memory_order_relaxed);
	bool are_short = each < SHORT || !brisk_is(scheduler); /* if it is not, it may have had nothing to do */
	if (!are_short || !were_short(scheduler, now))
		forget_short(scheduler);
	if (are_short && now < until && !ready_expects_foreign() && waiting(scheduler) * each < WORTH)
		set_brisk(scheduler, until);
	else if (brisk_is(scheduler))
		tell_again(scheduler);
}

/* This is rare, and may need more stack than a task is sure to have. */
READY_RARE void brisk_look(struct scheduler *scheduler)
{
	arch_call_on_processor_stack(look_now, scheduler);
}

static void end_now(void *scheduler)
{
	forget_short(scheduler);
	tell_again(scheduler);
}

READY_RARE void brisk_end(struct scheduler *scheduler)
{
	arch_call_on_processor_stack(end_now, scheduler);
}

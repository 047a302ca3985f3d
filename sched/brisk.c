#include "sched/brisk.h"

#include "sched/idle.h"
#include "sched/levels.h"
#include "sched/plain.h"
#include "sched/ready.h"
#include "sched/run_next.h"
#include "sched/timer.h"

/* In nanoseconds. */
#define SHORT       1000    /* a task: to take it takes about that long */
#define WORTH       3000    /* tasks that wait: to wake a processor for less takes longer */
#define SHORT_LEAST 50000   /* how long tasks are taken to be short, at first; */
#define SHORT_MOST  1600000 /* twice as long each time, up to this */
#define GIVE_LEAST  20000   /* how long until one is given away; twice as long each time, up to this: */
#define GIVE_MOST   1600000

#define GIVE_PICKS 64 /* in which one to give may be found */

/* The more processors there are, the longer they wait for each other when they look for tasks. So the first two are
 * once more as long for each of so many; the second only where tasks end (worth()). */
#define CONTENTION_PART 64

static uint64_t contended(uint64_t time)
{
	return time + time * (processor_count / CONTENTION_PART);
}

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
	if (now - haul.taken_at < contended(SHORT) * tasks) {
		set_short(haul.owner, haul.owner, now);
		set_short(scheduler, scheduler, now);
	}
}

/* ------------------------------------------------------------------------------ brisk or telling -- */

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
	scheduler->give_picks = 0;
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

/* --------------------------------------------------------------------------------------- gives -- */

static bool is_long_lived(const struct task *task)
{
	return !arch_context_is_new(&task->context);
}

static bool has_long_lived(const struct task *task)
{
	while (task && !is_long_lived(task))
		task = task->ready_next;
	return task;
}

/* The oldest of a queue, if it is long-lived, as is another behind it. NULL: no. What the oldest has made has left the
 * queue before it comes to be the oldest again. */
static struct task *take_long_lived(struct local_queue *queue)
{
	if (!local_queue_own(queue) && !local_queue_refill(queue))
		return NULL;
	const struct task *oldest = local_queue_own(queue);
	if (!is_long_lived(oldest))
		return NULL;
	bool more = has_long_lived(oldest->ready_next) || has_long_lived(local_queue_newest(queue));
	return more ? local_queue_take_own(queue) : NULL;
}

/* The current task is one of those that others make. */
static bool ends(const struct scheduler *scheduler)
{
	return scheduler->current->function_ended;
}

/* Give a task to a processor that halts, if there is one of each. */
static void give(struct scheduler *scheduler, uint64_t now)
{
	uint32_t levels = levels_anywhere(scheduler);
	int to = levels && ends(scheduler) ? idle_find(scheduler->processor->index + 1) : -1;
	struct task *task = to >= 0 ? take_long_lived(&scheduler->local[31 - __builtin_clz(levels)]) : NULL;
	scheduler->give_picks = task ? 0 : scheduler->give_picks - 1;
	if (!task)
		return;
	set_short(processors[to].scheduler, scheduler, now);
	run_next_publish(task, (unsigned)to);
}

/* It has just become brisk, or is not. */
static void give_later(struct scheduler *scheduler, uint64_t now)
{
	scheduler->give_after = GIVE_LEAST;
	scheduler->give_at = now + GIVE_LEAST;
}

static void give_if_due(struct scheduler *scheduler, uint64_t now)
{
	if (now < scheduler->give_at || !ends(scheduler) || idle_find(0) < 0)
		return;
	if (scheduler->give_after < GIVE_MOST)
		scheduler->give_after *= 2;
	scheduler->give_at = now + scheduler->give_after;
	scheduler->give_picks = GIVE_PICKS;
	plain_forbid(scheduler);
}

/* --------------------------------------------------------------------------------------- looks -- */

/* Whether no other need try to take a task: all that wait take less time than that. */
static bool is_put_off(struct scheduler *scheduler, uint64_t each)
{
	return brisk_is(scheduler) && ends(scheduler) && waiting(scheduler) * each < contended(SHORT);
}

/* Tasks that do not end probably wait for each other, and are as well elsewhere, however many processors look. */
static uint64_t worth(const struct scheduler *scheduler)
{
	return ends(scheduler) ? contended(WORTH) : WORTH;
}

static void look(struct scheduler *scheduler, uint64_t now)
{
	uint64_t each = time_of_each(scheduler, now);
	uint64_t until = atomic_load_explicit(&scheduler->short_until, memory_order_relaxed);
	bool was_brisk = brisk_is(scheduler);
	bool are_short = each < contended(SHORT) || !was_brisk; /* if it is not, it may have had nothing to do */
	if (!are_short || !were_short(scheduler, now)) {
		forget_short(scheduler);
	} else if (now >= until && is_put_off(scheduler, each)) {
		set_short(scheduler, scheduler, now);
		until = atomic_load_explicit(&scheduler->short_until, memory_order_relaxed);
	}
	if (are_short && now < until && !ready_expects_foreign() && waiting(scheduler) * each < worth(scheduler))
		set_brisk(scheduler, until);
	else if (was_brisk)
		tell_again(scheduler);
	if (!was_brisk)
		give_later(scheduler, now);
	else if (brisk_is(scheduler))
		give_if_due(scheduler, now);
}

static void look_now(void *argument)
{
	struct scheduler *scheduler = argument;
	uint64_t now = arch_clock();
	if (scheduler->give_picks > 0)
		give(scheduler, now);
	else
		look(scheduler, now);
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

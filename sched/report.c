#include "sched/report.h"

#include "kernel/console.h"
#include "kernel/format.h"
#include "kernel/panic.h"
#include "sched/generator.h"
#include "sched/idle.h"
#include "sched/timer.h"
#include "sched/wait.h"

#define CIRCLE_MAXIMUM 1000 /* tasks in a circle */

struct search {
	const struct task *wanted;
	bool found;
};

static void report_compare(struct task *task, void *argument)
{
	struct search *search = argument;
	search->found |= task == search->wanted;
}

/* What was read from a lock while others run may be anything. */
static struct task *known(struct task *task)
{
	struct search search = {task, false};
	if (task)
		task_visit(report_compare, &search);
	return search.found ? task : NULL;
}

/* Whom a task waits for; NULL: nobody that could be named. */
static struct task *awaited(const struct task *task, bool quiet)
{
	uint32_t state = atomic_load_explicit(&task->state, memory_order_relaxed);
	struct task *other = NULL;
	if (state == TASK_JOINING)
		other = task->waits_for;
	else if (state == TASK_WAITING && task->wait_object.owner)
		other = atomic_load_explicit(task->wait_object.owner, memory_order_relaxed);
	return quiet ? other : known(other);
}

static void report_describe(const struct task *task, bool quiet, char *text, size_t size)
{
	uint32_t state = atomic_load_explicit(&task->state, memory_order_relaxed);
	struct task *other = awaited(task, quiet);
	if (state == TASK_SUSPENDED)
		format_text(text, size, "suspended, waits for task_resume()");
	else if (state == TASK_SLEEPING)
		format_text(text, size, "sleeps until %lu ns",
		            task->timer ? (unsigned long)task->timer->deadline : 0);
	else if (state == TASK_JOINING && other)
		format_text(text, size, "waits for the end of task %s (%u)", other->name, other->pooled.number);
	else if (state == TASK_WAITING && other)
		format_text(text, size, "waits for the %s at %p, which task %s (%u) holds", task->wait_object.kind,
		            task->wait_object.object, other->name, other->pooled.number);
	else if (state == TASK_WAITING)
		format_text(text, size, "waits for the %s at %p", task->wait_object.kind, task->wait_object.object);
	else if (state == TASK_ENDED)
		format_text(text, size, "ended, waits to be joined");
	else
		format_text(text, size, "ready or running");
}

/* Of a task that waits, so that nobody runs it. */
static void report_task_place(const struct task *task)
{
	const struct arch_place place = {.frame_pointer = arch_context_frame(&task->context)};
	uintptr_t low, high;
	bool guarded;
	if (generator_stack_around(task, place.frame_pointer, &low, &high, &guarded))
		panic_back_trace(&place, low, high, log_error);
}

struct report {
	bool quiet;
	unsigned tasks, circles;
};

static void report_task(struct task *task, void *argument)
{
	struct report *report = argument;
	char text[160];
	uint32_t state = atomic_load_explicit(&task->state, memory_order_relaxed);
	if (!task->stack && state == TASK_ACTIVE)
		return; /* a processor's idle task */
	report_describe(task, report->quiet, text, sizeof(text));
	log_error("task %s (%u): %s", task->name, task->pooled.number, text);
	if (report->quiet && log_level >= LOG_DEBUG && state != TASK_ACTIVE && state != TASK_ENDED)
		report_task_place(task);
	console_flush();
	report->tasks++;
}

/* Whether the task is in a circle, and has the lowest number of all in it: so each circle is reported once.
 */
static bool begins_circle(const struct task *task, bool quiet)
{
	const struct task *other = awaited(task, quiet);
	for (unsigned i = 0; other && other != task && i < CIRCLE_MAXIMUM; i++) {
		if (other->pooled.number < task->pooled.number)
			return false;
		other = awaited(other, quiet);
	}
	return other == task;
}

static void report_circle(struct task *task, void *argument)
{
	struct report *report = argument;
	char text[160];
	if (!begins_circle(task, report->quiet))
		return;
	log_error("a circle of waiting tasks, which none of them can leave:");
	const struct task *member = task;
	for (unsigned i = 0; member && i < CIRCLE_MAXIMUM; i++) {
		report_describe(member, report->quiet, text, sizeof(text));
		log_error("    task %s (%u) %s", member->name, member->pooled.number, text);
		console_flush();
		member = awaited(member, report->quiet);
		if (member == task)
			break;
	}
	report->circles++;
}

void report_tasks(bool quiet)
{
	struct report report = {.quiet = quiet};
	task_visit(report_task, &report);
	task_visit(report_circle, &report);
	log_error("%u tasks in all, %u circles of waiting tasks", report.tasks, report.circles);
}

static bool is_idle(unsigned index)
{
	return atomic_load_explicit(&idle_set.words[index / IDLE_WORD_BITS], memory_order_relaxed) &
	       idle_bit(index);
}

void report_all(void)
{
	report_tasks(false);
	for (unsigned index = 0; index < processor_count; index++)
		if (is_idle(index))
			log_error("processor %u is idle", index);
		else if (&processors[index] != processor_current())
			arch_processor_examine(&processors[index]);
	console_flush();
}

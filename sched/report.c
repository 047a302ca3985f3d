#include "sched/report.h"

#include "heddle/system.h"
#include "kernel/console.h"
#include "kernel/format.h"
#include "kernel/panic.h"
#include "sched/generator.h"
#include "sched/idle.h"
#include "sched/timer.h"
#include "sched/ready_added.h"
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

/* While others run, what was read from a lock may be anything. */
static struct task *known(struct task *task)
{
	struct search search = {task, false};
	if (task)
		task_visit(report_compare, &search);
	return search.found ? task : NULL;
}

static bool has_ended(const struct task *task)
{
	return atomic_load_explicit(&task->state, memory_order_relaxed) == TASK_ENDED;
}

/* The task that another one waits for; NULL: there is none, or it is not known. */
static struct task *awaited(const struct task *task, bool quiet)
{
	struct task *other = NULL;
	if (!wait_has_object(task))
		return NULL;
	if (task->wait_cold.object.kind == wait_for_end)
		other = task->waits_for;
	else if (task->wait_cold.object.owner)
		other = atomic_load_explicit(task->wait_cold.object.owner, memory_order_relaxed);
	return quiet ? other : known(other);
}

/* In a function of a lock of one's own: its name first, then what the lock waits by. */
static void describe_added(const struct task *task, char *text, size_t size)
{
	const struct wait_object *object = &task->wait_cold.object;
	const char *name = heddle_locks().first[task->locks.added - 1]->name;
	if (wait_has_object(task))
		format_text(text, size, "waits for lock %s, at its %s at %p", name, object->kind, object->object);
	else
		format_text(text, size, "waits for lock %s, which has suspended it", name);
}

static bool is_lost(const struct task *task)
{
	return task_has_stack(task) && !has_ended(task) && !wait_is_under_way(task);
}

static void report_describe(const struct task *task, bool quiet, char *text, size_t size)
{
	const struct wait_object *object = &task->wait_cold.object;
	struct task *other = awaited(task, quiet);
	if (has_ended(task))
		format_text(text, size, "ended, waits to be joined");
	else if (!wait_is_under_way(task))
		format_text(text, size, quiet ? "ready, and lost by its ready queue" : "ready or running");
	else if (task->locks.added)
		describe_added(task, text, size);
	else if (!wait_has_object(task))
		format_text(text, size, "suspended, waits for task_resume()");
	else if (object->kind == wait_for_time)
		format_text(text, size, "sleeps until %lu ns",
		            task->wait_cold.timer ? (unsigned long)task->wait_cold.timer->deadline : 0);
	else if (object->kind == wait_for_end)
		format_text(text, size, "waits for the end of task %s (%u)", other ? other->name : "?",
		            other ? other->pooled.number : 0);
	else if (other)
		format_text(text, size, "waits for the %s at %p, which task %s (%u) holds", object->kind,
		            object->object, other->name, other->pooled.number);
	else
		format_text(text, size, "waits for the %s at %p", object->kind, object->object);
}

/* For a task that waits, and so does not run. */
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
	if (!task_has_stack(task) && !has_ended(task))
		return; /* a processor's idle task */
	report_describe(task, report->quiet, text, sizeof(text));
	log_error("task %s (%u): %s", task->name, task->pooled.number, text);
	if (report->quiet && log_level >= LOG_DEBUG && wait_is_under_way(task))
		report_task_place(task);
	console_flush();
	report->tasks++;
}

/* Whether the task is in a circle, and has the lowest number in it: so each circle is reported once. */
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

static void count_lost(struct task *task, void *count)
{
	*(unsigned *)count += is_lost(task);
}

unsigned report_lost(void)
{
	unsigned count = 0;
	task_visit(count_lost, &count);
	if (count == 1)
		log_error("sched=%s has lost a task: it is ready, and no processor was given it", heddle_policy());
	else if (count > 0)
		log_error("sched=%s has lost %u tasks: they are ready, and no processor was given them",
		          heddle_policy(), count);
	return count;
}

void report_tasks(bool quiet)
{
	struct report report = {.quiet = quiet};
	task_visit(report_task, &report);
	task_visit(report_circle, &report);
	log_error("%u tasks in all, %u circles of waiting tasks", report.tasks, report.circles);
}

void report_all(void)
{
	report_tasks(false);
	for (unsigned index = 0; index < processor_count; index++)
		if (idle_is(index))
			log_error("processor %u is idle", index);
		else if (&processors[index] != processor_current())
			arch_processor_examine(&processors[index]);
	console_flush();
}

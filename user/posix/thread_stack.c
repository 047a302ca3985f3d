#include "user/posix/thread_stack.h"

#include "heddle/system.h"
#include "user/posix/stacks.h"
#include "user/posix/table.h"

bool stack_choose(struct thread *thread, struct task_options *options, const pthread_attr_t *attributes)
{
	size_t size = thread->stack_size = attributes->heddle_stack;
	options->stack_memory = attributes->heddle_stack_memory;
	options->stack_size = size;
	if (!options->stack_memory && size > STACK_USUAL) {
		thread->mapped = options->stack_memory = stack_map(size);
		thread->mapped_size = size;
		if (!thread->mapped)
			return false;
	}
	thread->joins_task = options->stack_memory || !thread->detached;
	thread->stack = options->stack_memory;
	if (options->stack_memory)
		options->stack = HEDDLE_TASK_STACK_WHOLE;
	else
		options->stack_size = size < STACK_USUAL ? size + size / STACK_UNUSED_PART : STACK_OF_HEDDLE;
	return true;
}

void stack_unchoose(struct thread *thread)
{
	if (thread->mapped)
		stack_unmap(thread->mapped, thread->mapped_size);
}

void stack_note(struct thread *thread)
{
	void *low;
	size_t size;
	task_stack_bounds(&low, &size);
	if (thread->stack_size == 0 || thread->stack_size > size)
		thread->stack_size = size;
	thread->stack = low ? (char *)low + size - thread->stack_size : NULL;
}

/* ----------------------------------------------------------------------------------------------- leave -- */

void stack_leave(const struct thread *thread)
{
	if (thread->joins_task)
		while (task_join(thread->body, NULL) == HEDDLE_CANCELLED)
			continue;
	if (thread->mapped)
		stack_unmap(thread->mapped, thread->mapped_size);
}

/* Detached threads that have ended, and may not have left their stacks yet. Under the lock. */
static struct thread *leaving;

void stack_leave_later(struct thread *thread)
{
	if (!thread->joins_task) {
		thread_free(thread);
		return;
	}
	thread->next = leaving;
	leaving = thread;
}

static void reap(void)
{
	thread_lock();
	struct thread *list = leaving;
	leaving = NULL;
	thread_unlock();
	while (list) {
		struct thread *thread = list;
		list = thread->next;
		stack_leave(thread);
		thread_lock();
		thread_free(thread);
		thread_unlock();
	}
}

struct range {
	const char *low;
	size_t size;
};

static bool is_detached_on(const struct thread *thread, const void *argument)
{
	const struct range *range = argument;
	const char *other = thread->stack;
	return thread->joins_task && thread->detached && other < range->low + range->size &&
	       range->low < other + thread->stack_size;
}

/* Whether a detached thread may still be on the stack. */
static bool is_in_use(const char *low, size_t size)
{
	thread_lock();
	bool found = thread_search(is_detached_on, &(struct range){low, size});
	thread_unlock();
	return found;
}

#define LOOK_AGAIN 50000 /* nanoseconds */

/* A program cannot know when a detached thread has left a stack of the program's, and so may give it to another
 * thread. As each unlock may be a switch to another thread, that may be later than elsewhere. */
void stacks_reap(const pthread_attr_t *attributes)
{
	const void *low = attributes->heddle_stack_memory;
	reap();
	while (low && is_in_use(low, attributes->heddle_stack)) {
		task_sleep_until(heddle_clock() + LOOK_AGAIN);
		reap();
	}
}

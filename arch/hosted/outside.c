/*
 * What threads of the program may do with tasks and their objects (heddle/host.h): a task does it for them. Also the
 * error message if they call a function that only a task may call.
 */
#include <stdio.h>
#include <unistd.h>

#include "arch/hosted/hosted.h"
#include "arch/hosted/signals.h"
#include "heddle/host.h"

/* An operation with its arguments. */
struct operation {
	enum heddle_error (*carry_out)(const struct operation *operation);
	void *object;
	union {
		void *message;
		intptr_t value;
		struct {
			void *argument;
			const struct task_options *options;
		} spawned;
	};
};

static intptr_t operation_main(void *operation)
{
	return ((const struct operation *)operation)->carry_out(operation);
}

/* Called by a thread of the program. */
__attribute__((noinline)) static enum heddle_error from_outside(struct operation operation)
{
	return hosted_wait_outside(operation_main, &operation);
}

/* ------------------------------------------------------------------------------------------ operations -- */

static enum heddle_error spawn(task_function function, void *argument, const struct task_options *options)
{
	struct task_options detached = HEDDLE_TASK_OPTIONS;
	if (options)
		detached = *options;
	detached.detached = true;
	return task_create(NULL, function, argument, &detached);
}

static enum heddle_error carry_spawn(const struct operation *operation)
{
	return spawn((task_function)operation->object, operation->spawned.argument, operation->spawned.options);
}

STACK_ENTRY(heddle_spawn)
enum heddle_error heddle_spawn(task_function function, void *argument, const struct task_options *options)
{
	return hosted_is_processor() ? spawn(function, argument, options)
	                             : from_outside((struct operation){carry_spawn, (void *)function,
	                                                               .spawned = {argument, options}});
}

static enum heddle_error carry_send(const struct operation *operation)
{
	return channel_send(operation->object, operation->message);
}

STACK_ENTRY(heddle_channel_send)
enum heddle_error heddle_channel_send(struct channel *channel, const void *message)
{
	return hosted_is_processor()
	           ? channel_send(channel, message)
	           : from_outside((struct operation){carry_send, channel, .message = (void *)message});
}

static enum heddle_error carry_receive(const struct operation *operation)
{
	return channel_receive(operation->object, operation->message);
}

STACK_ENTRY(heddle_channel_receive)
enum heddle_error heddle_channel_receive(struct channel *channel, void *message)
{
	return hosted_is_processor()
	           ? channel_receive(channel, message)
	           : from_outside((struct operation){carry_receive, channel, .message = message});
}

static enum heddle_error carry_event_set(const struct operation *operation)
{
	return event_set(operation->object);
}

enum heddle_error heddle_event_set(struct event *event)
{
	return hosted_is_processor() ? event_set(event)
	                             : from_outside((struct operation){carry_event_set, event, {NULL}});
}

static enum heddle_error carry_event_wait(const struct operation *operation)
{
	return event_wait(operation->object);
}

enum heddle_error heddle_event_wait(struct event *event)
{
	return hosted_is_processor() ? event_wait(event)
	                             : from_outside((struct operation){carry_event_wait, event, {NULL}});
}

static enum heddle_error carry_future_set(const struct operation *operation)
{
	return future_set(operation->object, operation->value);
}

enum heddle_error heddle_future_set(struct future *future, intptr_t value)
{
	return hosted_is_processor() ? future_set(future, value)
	                             : from_outside((struct operation){carry_future_set, future, .value = value});
}

static enum heddle_error carry_future_wait(const struct operation *operation)
{
	return future_wait(operation->object);
}

enum heddle_error heddle_future_wait(struct future *future)
{
	return hosted_is_processor() ? future_wait(future)
	                             : from_outside((struct operation){carry_future_wait, future, {NULL}});
}

struct task *heddle_calling_task(void)
{
	return hosted_is_processor() && task_runs() ? task_current() : NULL;
}

/* -------------------------------------------------------------------------------------------- mistakes -- */

static const char *heddle_function(uintptr_t instruction)
{
	size_t offset;
	if (arch_is_user_code(instruction))
		return NULL;
	const char *name = arch_symbol(instruction, &offset);
	return name ? name : "(a function for tasks)";
}

void hosted_outside_fault(uintptr_t instruction)
{
	const char *name = heddle_function(instruction);
	if (name)
		dprintf(STDERR_FILENO,
		        "heddle: a thread that is no processor has called %s(): it may call only what heddle/host.h "
		        "and heddle/blocking.h declare; have a task do it, by heddle_run()\n",
		        name);
}

void hosted_fault_at_rest(uintptr_t instruction)
{
	const char *name;
	hosted_symbols_start();
	name = heddle_function(instruction);
	if (name)
		dprintf(
		    STDERR_FILENO,
		    "heddle: %s() was called while no machine runs: call heddle_start(), and have a task do it, by "
		    "heddle_run()\n",
		    name);
}

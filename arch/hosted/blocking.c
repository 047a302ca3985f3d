/*
 * Functions that block, on threads that may block (heddle/blocking.h). A call is pushed to a stack, and an eventfd is
 * incremented; a thread takes one from the eventfd, and with it the right to take a call. While there are fewer than
 * THREADS threads, there is always one more than calls in progress.
 *
 *     a call: submitted --reverse--> pending, in order of arrival --take--> in progress --external_wait_end--> over
 *
 * | operation | progress                               | takes effect                |
 * |-----------|----------------------------------------|-----------------------------|
 * | submit    | lock-free, and a call of the host      | at its CAS                  |
 * | take      | blocks; threads that are no processors | at the exchange, in a mutex |
 */
#include "heddle/blocking.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include "arch/hosted/helpers.h"
#include "arch/hosted/hosted.h"
#include "arch/hosted/signals.h"
#include "arch/hosted/system_call.h"
#include "kernel/list.h"
#include "sched/external_wait.h"
#include "sched/switch.h"
#include "sched/wait.h"

#define THREADS 64

struct call {
	struct external_wait wait;
	struct call *next;
	task_function function;
	void *argument;
	intptr_t result;
	sigset_t blocked; /* signals, for the task, and */
	uint32_t held;    /* which of them the function has caused */
};

static _Atomic(struct call *) submitted; /* the newest first */
static _Atomic int tokens = -1;          /* the eventfd; -1: no thread yet */

/* Used by threads that are no processors, under the mutex. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct call *pending; /* the oldest first */
static pthread_t threads[THREADS];
static unsigned made, unoccupied; /* threads */
static bool ends;                 /* threads must end */

static void add_token(void)
{
	uint64_t one = 1;
	system_call(SYS_write, (uintptr_t)tokens, (uintptr_t)&one, sizeof(one));
}

/* --------------------------------------------------------------------------------------------- threads -- */

/* NULL: the token came without a call; hosted_blocking_end() added it. */
static struct call *blocking_take(void)
{
	if (!pending)
		/* acquire: pairs with the CAS in submit. */
		pending = list_reverse(atomic_exchange_explicit(&submitted, NULL, memory_order_acquire));
	struct call *call = pending;
	if (call)
		pending = call->next;
	return call;
}

static void *blocking_serve(void *unused);

static bool make_thread(void)
{
	bool is_made = made < THREADS && !ends && hosted_helper_create(&threads[made], blocking_serve);
	made += is_made;
	unoccupied += is_made;
	return is_made;
}

static struct call *begin_call(void)
{
	pthread_mutex_lock(&mutex);
	struct call *call = blocking_take();
	unoccupied--;
	if (call && unoccupied == 0)
		make_thread();
	pthread_mutex_unlock(&mutex);
	return call;
}

static void end_call(struct call *call)
{
	pthread_mutex_lock(&mutex);
	unoccupied++;
	pthread_mutex_unlock(&mutex);
	external_wait_end(&call->wait, HEDDLE_OK); /* its last use */
}

static void *blocking_serve(void *unused)
{
	for (;;) {
		uint64_t token;
		while (read(tokens, &token, sizeof(token)) != sizeof(token))
			continue; /* interrupted by a handler of the program */
		struct call *call = begin_call();
		if (!call)
			return unused;
		hosted_signals_help(&call->blocked);
		call->result = call->function(call->argument);
		call->held = hosted_signals_held();
		hosted_signals_help(NULL);
		end_call(call);
	}
}

/* ----------------------------------------------------------------------------------------------- tasks -- */

static bool blocking_start(void)
{
	if (tokens >= 0)
		return true;
	tokens = eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC);
	if (tokens < 0)
		return false;
	pthread_mutex_lock(&mutex);
	bool is_made = make_thread();
	pthread_mutex_unlock(&mutex);
	if (is_made) {
		injection_open(); /* from now on, no task being ready is no deadlock */
		return true;
	}
	close(tokens);
	tokens = -1;
	return false;
}

static void submit(struct task *left, void *argument)
{
	struct call *call = argument;
	external_wait_publish(&call->wait, left);
	call->next = atomic_load_explicit(&submitted, memory_order_relaxed);
	/* n -> call; release: the call, pairs with the exchange in take. From here on the task may go on elsewhere. */
	while (!atomic_compare_exchange_weak_explicit(&submitted, &call->next, call, memory_order_release,
	                                              memory_order_relaxed))
		continue;
	add_token();
}

static enum heddle_error call_by_task(struct call *call)
{
	static const struct wait_object object = {.kind = "blocking function"};
	quantum_check_cooperative("heddle_blocking()");
	if (tokens < 0 && !hosted_helper_start(blocking_start))
		return HEDDLE_NO_MEMORY;
	enum heddle_error error = wait_begin_kept(&object);
	if (error != HEDDLE_OK)
		return error;
	hosted_signals_of_task(&call->blocked);
	switch_away(submit, call);
	error = wait_finish();
	hosted_signals_pend(call->held);
	return error;
}

/* Called by a thread of the program. */
__attribute__((noinline)) static void call_by_thread(struct call *call)
{
	call->result = call->function(call->argument);
}

STACK_ENTRY(heddle_blocking)
enum heddle_error heddle_blocking(task_function function, void *argument, intptr_t *result)
{
	struct call call = {.function = function, .argument = argument};
	enum heddle_error error = HEDDLE_OK;
	if (!function)
		return HEDDLE_BAD_ARGUMENT;
	if (hosted_is_processor())
		error = call_by_task(&call);
	else
		call_by_thread(&call);
	if (result && error == HEDDLE_OK)
		*result = call.result;
	return error;
}

/* ------------------------------------------------------------------------------------------- the end -- */

void hosted_blocking_forget(void)
{
	pthread_mutex_init(&mutex, NULL);
	if (tokens >= 0)
		close(tokens);
	tokens = -1;
	atomic_store_explicit(&submitted, NULL, memory_order_relaxed);
	pending = NULL;
	made = unoccupied = 0;
	ends = false;
}

void hosted_blocking_end(void)
{
	if (tokens < 0)
		return;
	pthread_mutex_lock(&mutex);
	ends = true;
	unsigned count = made;
	pthread_mutex_unlock(&mutex);
	/* In addition to the tokens of calls that no thread has taken yet. */
	for (unsigned i = 0; i < count; i++)
		add_token();
	for (unsigned i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	hosted_blocking_forget();
}

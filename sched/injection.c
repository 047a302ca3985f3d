#include "sched/injection.h"

#include <stdatomic.h>

#include "kernel/list.h"
#include "sched/ready.h"
#include "sched/wake.h"

static _Atomic(struct injection *) submitted;
static _Atomic uint32_t sources;
static void (*_Atomic asked)(void *unused);

void injection_submit_here(struct injection *newest, struct injection *oldest)
{
	oldest->next = atomic_load_explicit(&submitted, memory_order_relaxed);
	/* n -> newest; release: the requests, pairs with the exchange in injection_accept; seq_cst: before the look for
	 * idle processors. */
	while (!atomic_compare_exchange_weak_explicit(&submitted, &oldest->next, newest, memory_order_seq_cst,
	                                              memory_order_relaxed))
		continue;
}

void injection_submit_chain(struct injection *newest, struct injection *oldest)
{
	injection_submit_here(newest, oldest);
	wake_for_injection();
}

void injection_submit(struct injection *injection)
{
	injection_submit_chain(injection, injection);
}

static void injection_accept_submitted(void *unused)
{
	(void)unused;
	/* The oldest first. acquire: pairs with the CAS in injection_submit_here. */
	struct injection *injection =
	    list_reverse(atomic_exchange_explicit(&submitted, NULL, memory_order_acquire));
	struct task_options options = HEDDLE_TASK_OPTIONS;
	options.name = "injected";
	options.stack = HEDDLE_TASK_STACK_WHOLE;
	options.detached = true;
	while (injection) {
		struct injection *next = injection->next; /* `accepted` may end the request's life */
		/* Loaded first: the new task may end the request's life at once. */
		void (*accepted)(struct injection *, enum heddle_error) = injection->accepted;
		accepted(injection, injection->function
		                        ? task_create(NULL, injection->function, injection->argument, &options)
		                        : HEDDLE_OK);
		injection = next;
	}
}

void injection_ask(void (*ask)(void *unused))
{
	/* release: what the function needs; pairs with the load in injection_accept. */
	atomic_store_explicit(&asked, ask, memory_order_release);
}

void injection_accept(void)
{
	/* acquire: pairs with injection_ask. */
	void (*ask)(void *) = atomic_load_explicit(&asked, memory_order_acquire);
	if (ask)
		arch_call_on_processor_stack(ask, NULL);
	/* seq_cst: an idle processor's last look comes after its announcement. */
	if (atomic_load_explicit(&submitted, memory_order_seq_cst))
		arch_call_on_processor_stack(injection_accept_submitted, NULL);
}

void injection_open(void)
{
	atomic_fetch_add_explicit(&sources, 1, memory_order_seq_cst);
}

void injection_close(void)
{
	atomic_fetch_sub_explicit(&sources, 1, memory_order_seq_cst);
}

bool injection_is_open(void)
{
	return atomic_load_explicit(&sources, memory_order_seq_cst) != 0;
}

void injection_start(void)
{
	atomic_store_explicit(&submitted, NULL, memory_order_relaxed);
	atomic_store_explicit(&sources, 0, memory_order_relaxed);
	injection_ask(NULL);
}

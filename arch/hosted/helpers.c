#include "arch/hosted/helpers.h"

#include <signal.h>

#include "arch/hosted/descriptors.h"
#include "arch/hosted/hosted.h"
#include "arch/hosted/signals.h"
#include "arch/hosted/system_call.h"
#include "sched/injection.h"

#define AFFINITY_BYTES 8192 /* of 65,536 processors */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned long affinity[AFFINITY_BYTES / sizeof(unsigned long)];
static long affinity_bytes; /* size of the host's set of processors; or an error number below 0 */

void hosted_helpers_prepare(void)
{
	affinity_bytes = system_call(SYS_sched_getaffinity, 0, sizeof(affinity), (uintptr_t)affinity);
}

void hosted_helpers_forget(void)
{
	pthread_mutex_init(&mutex, NULL);
	hosted_blocking_forget();
	hosted_descriptors_forget();
}

/* The new thread inherits the unblocked signals, and the one processor of its creator. */
static void *helper_main(void *main)
{
	hosted_signals_let_in();
	if (affinity_bytes > 0)
		system_call(SYS_sched_setaffinity, 0, (uintptr_t)affinity_bytes, (uintptr_t)affinity);
	return ((void *(*)(void *))main)(NULL);
}

bool hosted_helper_create(pthread_t *thread, void *(*main)(void *unused))
{
	sigset_t before;
	hosted_signals_block(&before);
	bool made = pthread_create(thread, NULL, helper_main, (void *)main) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return made;
}

struct beginning {
	bool (*start)(void);
	bool started;
};

/* A signal that interrupts us here may find us in the C library, whose code may count as a task's. */
static void helpers_begin(void *argument)
{
	struct beginning *beginning = argument;
	sigset_t before;
	hosted_signals_block(&before);
	pthread_mutex_lock(&mutex);
	beginning->started = beginning->start();
	pthread_mutex_unlock(&mutex);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

bool hosted_helper_start(bool (*start)(void))
{
	struct beginning beginning = {.start = start};
	arch_call_on_processor_stack(helpers_begin, &beginning);
	return beginning.started;
}

/*
 * Processors are pinned threads. The thread that boots is processor 0.
 */
#include <asm/prctl.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch/hosted/helpers.h"
#include "arch/hosted/hosted.h"
#include "arch/hosted/signals.h"
#include "arch/hosted/ticks.h"
#include "kernel/console.h"
#include "kernel/topology.h"

#define SIGNAL_STACK_SIZE ((size_t)65536)
#define THREAD_STACK_SIZE ((size_t)1 << 20)

static struct arch_processor host_processors[PROCESSORS_MAXIMUM];

/* Releases the waiting threads, or tells them to end. */
static pthread_mutex_t release_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t release_condition = PTHREAD_COND_INITIALIZER;
static void (*release_entry)(struct processor *);
static bool may_end;
static unsigned started;

/* The host's processors may have any number. */
static void pin(const struct processor *processor)
{
	size_t bytes = CPU_ALLOC_SIZE(processor->hardware_id + 1);
	cpu_set_t *set = calloc(1, bytes);
	if (set)
		CPU_SET_S(processor->hardware_id, bytes, set);
	if (!set || sched_setaffinity(0, bytes, set) != 0)
		log_warning("processor %u cannot be pinned to the host's processor %u", processor->index,
		            processor->hardware_id);
	free(set);
}

static void find_stack(struct processor *processor)
{
	pthread_attr_t attributes;
	if (pthread_getattr_np(pthread_self(), &attributes) != 0)
		return;
	pthread_attr_getstack(&attributes, &processor->stack_low, &processor->stack_size);
	pthread_attr_destroy(&attributes);
}

/* Linux takes no negative base, so the blocks must lie above heddle_processor_base. */
static void gs_base_set(const struct processor *processor)
{
	if (syscall(SYS_arch_prctl, ARCH_SET_GS, arch_processor_distance(processor)) == 0)
		return;
	dprintf(
	    STDERR_FILENO,
	    "heddle: the host does not set the GS base (%s): link the program such that its zeroed data (.bss) "
	    "comes after its other data (.data)\n",
	    strerror(errno));
	abort();
}

static void become(struct processor *processor, void *signal_stack)
{
	struct arch_processor *host = processor->arch;
	stack_t stack = {.ss_sp = signal_stack, .ss_size = SIGNAL_STACK_SIZE};
	host->number = (uint32_t)gettid();
	host->signal_stack = (uintptr_t)signal_stack;
	find_stack(processor);
	processor->self = processor;
	/* Clear what an earlier machine has left, here or where the C library keeps a thread's words. */
	processor->scheduler = NULL;
	processor->stack_free = 0;
	processor->uncooperative = 0;
	processor->stack_taken = 0;
	processor->callbacks = host->callbacks;
	hosted_kept_start(host);
	arch_stack_limit_set(0);
	gs_base_set(processor);
	sigaltstack(&stack, NULL);
	hosted_signals_open();
}

bool hosted_is_on_signal_stack(uintptr_t address)
{
	return address - processor_current()->arch->signal_stack < SIGNAL_STACK_SIZE;
}

static void *thread_main(void *argument)
{
	struct processor *processor = argument;
	char signal_stack[SIGNAL_STACK_SIZE];
	stack_t none = {.ss_flags = SS_DISABLE};
	become(processor, signal_stack);
	processor->arch->main(processor->arch->argument);
	sigaltstack(&none, NULL);
	return NULL;
}

bool hosted_processor_create(struct processor *processor, void (*main)(void *argument), void *argument)
{
	struct arch_processor *host = &host_processors[processor->index];
	pthread_attr_t attributes;
	sigset_t before;
	atomic_store_explicit(&host->wake, 0, memory_order_relaxed);
	atomic_store_explicit(&host->requests, 0, memory_order_relaxed);
	atomic_store_explicit(&host->seen, 0, memory_order_relaxed);
	host->main = main;
	host->argument = argument;
	processor->arch = host;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, THREAD_STACK_SIZE);
	pthread_attr_setguardsize(&attributes, arch_stack_guard);
	hosted_signals_block(&before);
	int error = pthread_create(&host->thread, &attributes, thread_main, processor);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return error == 0;
}

static void processors_describe(struct processor *processor, unsigned index)
{
	processor->index = index;
	processor->node = topology.processor[index].node;
	processor->hardware_id = topology.processor[index].hardware_id;
	processor->scheduler = NULL;
}

/* Each waits until all have left the scheduler: a processor inside may still ask others by signal, and the number of
 * a thread that has ended may become another thread's. */
static void other_main(void *argument)
{
	struct processor *processor = argument;
	pin(processor);
	pthread_mutex_lock(&release_mutex);
	started++;
	pthread_cond_broadcast(&release_condition);
	while (!release_entry)
		pthread_cond_wait(&release_condition, &release_mutex);
	pthread_mutex_unlock(&release_mutex);
	release_entry(processor);
	pthread_mutex_lock(&release_mutex);
	started--;
	pthread_cond_broadcast(&release_condition);
	while (!may_end)
		pthread_cond_wait(&release_condition, &release_mutex);
	pthread_mutex_unlock(&release_mutex);
}

void arch_processors_start(struct topology *found)
{
	release_entry = NULL;
	may_end = false;
	started = 1;
	processors_describe(&processors[0], 0);
	hosted_helpers_prepare();
	pin(&processors[0]);
	for (unsigned index = 1; index < found->processor_count; index++) {
		processors_describe(&processors[index], index);
		if (!hosted_processor_create(&processors[index], other_main, &processors[index])) {
			log_error("processor %u and those after it do not start: the host gives no thread", index);
			found->processor_count = index;
		}
	}
	pthread_mutex_lock(&release_mutex);
	while (started < found->processor_count)
		pthread_cond_wait(&release_condition, &release_mutex);
	pthread_mutex_unlock(&release_mutex);
	ticks_start(found->processor_count);
}

void arch_processors_release(void (*entry)(struct processor *))
{
	pthread_mutex_lock(&release_mutex);
	release_entry = entry;
	pthread_cond_broadcast(&release_condition);
	pthread_mutex_unlock(&release_mutex);
}

void arch_processors_join(void)
{
	ticks_end();
	pthread_mutex_lock(&release_mutex);
	while (started > 1)
		pthread_cond_wait(&release_condition, &release_mutex);
	may_end = true;
	pthread_cond_broadcast(&release_condition);
	pthread_mutex_unlock(&release_mutex);
	for (unsigned index = 1; index < processor_count; index++)
		pthread_join(host_processors[index].thread, NULL);
}

void hosted_processors_forget(void)
{
	pthread_mutex_init(&release_mutex, NULL);
	pthread_cond_init(&release_condition, NULL);
}

/*
 * Processors are pinned threads. The thread that boots is processor 0.
 */
#include <asm/prctl.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch/hosted/hosted.h"
#include "kernel/console.h"
#include "kernel/topology.h"

#define SIGNAL_STACK_SIZE ((size_t)65536)
#define THREAD_STACK_SIZE ((size_t)1 << 20)

static struct arch_processor host_processors[PROCESSORS_MAXIMUM];

/* What the waiting threads are released with. */
static pthread_mutex_t release_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t release_condition = PTHREAD_COND_INITIALIZER;
static void (*release_entry)(struct processor *);
static unsigned started;

static void pin(const struct processor *processor)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(processor->hardware_id, &set);
	if (sched_setaffinity(0, sizeof(set), &set) != 0)
		log_warning("processor %u cannot be pinned to the host's processor %u", processor->index,
		            processor->hardware_id);
}

static void find_stack(struct processor *processor)
{
	pthread_attr_t attributes;
	if (pthread_getattr_np(pthread_self(), &attributes) != 0)
		return;
	pthread_attr_getstack(&attributes, &processor->stack_low, &processor->stack_size);
	pthread_attr_destroy(&attributes);
}

bool hosted_thread_create(pthread_t *thread, void *(*main)(void *), void *argument)
{
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, THREAD_STACK_SIZE);
	int error = pthread_create(thread, &attributes, main, argument);
	pthread_attr_destroy(&attributes);
	return error == 0;
}

/* Linux takes no base below 0, so the blocks must lie above heddle_processor_base. */
static void gs_base_set(const struct processor *processor)
{
	if (syscall(SYS_arch_prctl, ARCH_SET_GS, arch_processor_distance(processor)) == 0)
		return;
	fprintf(
	    stderr,
	    "heddle: the host does not set the GS base (%s): link the program such that its zeroed data (.bss) "
	    "comes after its other data (.data)\n",
	    strerror(errno));
	abort();
}

void hosted_processor_become(struct processor *processor)
{
	processor->arch = &host_processors[processor->index];
	atomic_store_explicit(&processor->arch->wake, 0, memory_order_relaxed);
	processor->arch->thread = pthread_self();
	find_stack(processor);
	processor->self = processor;
	processor->uncooperative = 0;
	gs_base_set(processor);
	processor->arch->signal_stack = malloc(SIGNAL_STACK_SIZE);
	stack_t stack = {.ss_sp = processor->arch->signal_stack, .ss_size = SIGNAL_STACK_SIZE};
	sigaltstack(&stack, NULL);
}

void hosted_processor_leave(struct processor *processor)
{
	stack_t none = {.ss_flags = SS_DISABLE};
	sigaltstack(&none, NULL);
	free(processor->arch->signal_stack);
	processor->arch->signal_stack = NULL;
}

static void describe(struct processor *processor, unsigned index)
{
	processor->index = index;
	processor->node = topology.processor[index].node;
	processor->hardware_id = topology.processor[index].hardware_id;
	processor->scheduler = NULL;
}

static void *thread_main(void *argument)
{
	struct processor *processor = argument;
	hosted_processor_become(processor);
	pin(processor);
	pthread_mutex_lock(&release_mutex);
	started++;
	pthread_cond_broadcast(&release_condition);
	while (!release_entry)
		pthread_cond_wait(&release_condition, &release_mutex);
	pthread_mutex_unlock(&release_mutex);
	release_entry(processor);
	hosted_processor_leave(processor);
	pthread_mutex_lock(&release_mutex);
	started--;
	pthread_cond_broadcast(&release_condition);
	pthread_mutex_unlock(&release_mutex);
	return NULL;
}

void arch_processors_start(struct topology *found)
{
	release_entry = NULL;
	started = 1;
	describe(&processors[0], 0);
	pin(&processors[0]);
	for (unsigned index = 1; index < found->processor_count; index++) {
		describe(&processors[index], index);
		processors[index].arch = &host_processors[index];
		if (!hosted_thread_create(&host_processors[index].thread, thread_main, &processors[index])) {
			log_error("processor %u and those after it do not start: the host gives no thread", index);
			found->processor_count = index;
		}
	}
	pthread_mutex_lock(&release_mutex);
	while (started < found->processor_count)
		pthread_cond_wait(&release_condition, &release_mutex);
	pthread_mutex_unlock(&release_mutex);
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
	/* All at once: those that still run may signal others, and a thread that was joined may not be signalled.
	 */
	pthread_mutex_lock(&release_mutex);
	while (started > 1)
		pthread_cond_wait(&release_condition, &release_mutex);
	pthread_mutex_unlock(&release_mutex);
	for (unsigned index = 1; index < processor_count; index++)
		pthread_join(host_processors[index].thread, NULL);
}

/*
 * The hosted program: its arguments are the command line.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/hosted/hosted.h"
#include "arch/hosted/signals.h"
#include "heddle/task.h"
#include "kernel/console.h"

static void join_arguments(struct boot_information *boot, int count, char **arguments)
{
	size_t length = 0;
	for (int i = 1; i < count; i++) {
		size_t piece = strlen(arguments[i]);
		if (length + piece + 2 > sizeof(boot->command_line)) {
			boot->command_line_cut = true;
			return;
		}
		memcpy(boot->command_line + length, arguments[i], piece);
		length += piece;
		boot->command_line[length++] = ' ';
	}
	boot->command_line[length] = 0;
}

static void main_boot(void *boot)
{
	if (!hosted_memory_find(boot)) {
		log_error("the host gives no memory: lift the limit on address space (ulimit -v)");
		console_flush();
		arch_shutdown(ARCH_OUTCOME_FAILURE);
	}
	kernel_main(boot);
}

/* SIGQUIT (control and backslash on a terminal) asks what the tasks are doing; everything goes on. */
static void *watch_quit(void *quit)
{
	int number;
	while (sigwait(quit, &number) == 0)
		/* acquire: the start of the scheduler, in scheduler_run(). */
		if (__atomic_load_n(&processors[0].stack_free, __ATOMIC_ACQUIRE))
			hosted_report();
	return NULL;
}

/* Before there is another thread: every thread must block the signal. */
static void watch_quit_start(void)
{
	static sigset_t quit;
	pthread_t thread;
	sigemptyset(&quit);
	sigaddset(&quit, SIGQUIT);
	pthread_sigmask(SIG_BLOCK, &quit, NULL);
	if (pthread_create(&thread, NULL, watch_quit, &quit) != 0)
		pthread_sigmask(SIG_UNBLOCK, &quit, NULL);
}

int main(int count, char **arguments)
{
	static struct boot_information boot = {.loader = "the host"};
	join_arguments(&boot, count, arguments);
	signal(SIGPIPE, SIG_IGN); /* that results are lost is said at the end (shutdown.c) */
	hosted_symbols_start();
	hosted_requests_start();
	hosted_signals_start();
	hosted_idle_start();
	watch_quit_start();
	if (!hosted_processor_create(&processors[0], main_boot, &boot)) {
		fprintf(stderr, "heddle: the host gives no thread\n");
		return EXIT_FAILURE;
	}
	pthread_join(processors[0].arch->thread, NULL);
	return EXIT_SUCCESS;
}

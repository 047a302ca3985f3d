/*
 * The hosted program: its arguments are the command line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/hosted/hosted.h"
#include "arch/hosted/signals.h"
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

static void boot_main(void *boot)
{
	if (!hosted_memory_find(boot)) {
		log_error("the host gives no memory: lift the limit on address space (ulimit -v)");
		console_flush();
		arch_shutdown(ARCH_OUTCOME_FAILURE);
	}
	kernel_main(boot);
}

int main(int count, char **arguments)
{
	static struct boot_information boot = {.loader = "the host"};
	join_arguments(&boot, count, arguments);
	hosted_symbols_start();
	hosted_requests_start();
	hosted_signals_start();
	hosted_idle_start();
	if (!hosted_processor_create(&processors[0], boot_main, &boot)) {
		fprintf(stderr, "heddle: the host gives no thread\n");
		return EXIT_FAILURE;
	}
	pthread_join(processors[0].arch->thread, NULL);
	return EXIT_SUCCESS;
}

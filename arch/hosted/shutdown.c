/*
 * The end of the process. Exit status: 0 success, 1 failure, 2 panic.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "arch/hosted/hosted.h"
#include "kernel/console.h"

#define ARGUMENTS_MOST (2 * COMMAND_LINE_MAXIMUM)

void arch_machine_start(struct boot_information *boot)
{
	(void)boot;
}

/* Start the program again with its arguments, which the host's kernel still has. */
_Noreturn void arch_restart(void)
{
	static char words[ARGUMENTS_MOST];
	static char *arguments[ARGUMENTS_MOST];
	char *word = words;
	size_t count = 0;
	sigset_t none;
	int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t length = file < 0 ? 0 : read(file, words, sizeof(words) - 1);
	while (word < words + length) {
		arguments[count++] = word;
		word += strlen(word) + 1;
	}
	arguments[count] = NULL;
	console_flush();
	hosted_terminal_end();
	/* The restarted program inherits this thread's blocked signals. */
	sigemptyset(&none);
	pthread_sigmask(SIG_SETMASK, &none, NULL);
	if (count > 0)
		execv("/proc/self/exe", arguments);
	log_error("the host does not start the program again: %s", strerror(errno));
	console_flush();
	arch_shutdown(ARCH_OUTCOME_FAILURE);
}

_Noreturn void arch_shutdown(enum arch_outcome outcome)
{
	static const char sentence[] = "heddle: results are lost: standard output cannot be written to\n";
	if (hosted_console_lost()) {
		arch_console_write(ARCH_STREAM_LOG, sentence, sizeof(sentence) - 1);
		outcome = outcome == ARCH_OUTCOME_SUCCESS ? ARCH_OUTCOME_FAILURE : outcome;
	}
	hosted_terminal_end();
	_exit((int)outcome); /* without exit handlers: other processors still run */
}

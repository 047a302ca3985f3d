/*
 * The end of the process. Exit status: 0 success, 1 failure, 2 panic.
 */
#include <unistd.h>

#include "arch/arch.h"
#include "arch/hosted/hosted.h"

void arch_machine_start(struct boot_information *boot)
{
	(void)boot;
}

_Noreturn void arch_shutdown(enum arch_outcome outcome)
{
	static const char sentence[] = "heddle: results are lost: standard output cannot be written to\n";
	if (hosted_console_lost()) {
		arch_console_write(ARCH_STREAM_LOG, sentence, sizeof(sentence) - 1);
		outcome = outcome == ARCH_OUTCOME_SUCCESS ? ARCH_OUTCOME_FAILURE : outcome;
	}
	_exit((int)outcome); /* without handlers of the host's library: other processors still run */
}

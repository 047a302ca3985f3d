/*
 * Standard input acts as a serial line: one byte for each BYTE_TIME of virtual time, so that a file or a pipe always
 * gives the same result. A terminal gives what has been typed so far; while all processors are halted, the machine and
 * its virtual time wait for the next key.
 */
#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "arch/arch.h"
#include "arch/hosted/hosted.h"
#include "arch/simulated/machine/progress.h"
#include "arch/simulated/machine/simulator.h"

#define BYTE_TIME (87000ull * PICOSECONDS) /* at 115,200 bits a second */
#define PATIENCE  20                       /* milliseconds of the host */

const bool arch_input_is_open = false;

static bool is_terminal;
static uint64_t next_time;

void arch_input_start(void)
{
	is_terminal = isatty(STDIN_FILENO);
	progress_stop();
	hosted_terminal_start();
}

static bool others_run(void)
{
	for (unsigned index = 0; index < virtual_processor_count; index++)
		if (virtual_processors[index].state == STATE_READY)
			return true;
	return false;
}

static bool has_come(void)
{
	struct pollfd ready = {.fd = STDIN_FILENO, .events = POLLIN};
	return !is_terminal || poll(&ready, 1, others_run() ? 0 : PATIENCE) > 0;
}

int arch_input_read(void)
{
	unsigned char byte;
	ssize_t count;
	if (simulator_now() < next_time || !has_come())
		return ARCH_INPUT_NONE;
	next_time = simulator_now() + BYTE_TIME;
	do {
		count = read(STDIN_FILENO, &byte, 1);
	} while (count < 0 && errno == EINTR);
	return count == 1 ? byte : ARCH_INPUT_END;
}

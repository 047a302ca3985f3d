#include "user/shell/terminal.h"

#include "arch/arch.h"
#include "heddle/system.h"
#include "heddle/task.h"
#include "kernel/console.h"
#include "kernel/input.h"
#include "sched/attention.h"

#define MILLISECOND 1000000
/* A serial line buffers 16 bytes, and one arrives every 87 us. */
#define PAUSE_SHORT (MILLISECOND)
#define PAUSE_LONG  (10 * MILLISECOND)
#define LATELY      (500 * MILLISECOND)

#define KEPT      256
#define INTERRUPT ('C' & 0x1f)

static unsigned char kept[KEPT]; /* what was typed ahead */
static unsigned kept_count, kept_next;

static uint64_t last_typed;
static unsigned long last_position;

static void start(void *unused)
{
	(void)unused;
	arch_input_start();
}

void terminal_start(void)
{
	arch_call_on_processor_stack(start, NULL);
	last_position = console_position();
}

static int take(void)
{
	attention_look_now();
	int byte = input_take();
	if (byte >= 0)
		last_typed = heddle_clock();
	return byte;
}

int terminal_read(void)
{
	if (kept_next < kept_count)
		return kept[kept_next++];
	kept_next = kept_count = 0;
	return take();
}

bool terminal_is_interrupted(void)
{
	while (kept_count < KEPT) {
		int byte = take();
		if (byte < 0)
			return false;
		if (byte == INTERRUPT) {
			kept_next = kept_count = 0;
			return true;
		}
		kept[kept_count++] = (unsigned char)byte;
	}
	return false;
}

void terminal_wait(void)
{
	uint64_t now = heddle_clock();
	task_sleep_until(now + (now - last_typed < LATELY ? PAUSE_SHORT : PAUSE_LONG));
}

void terminal_write(const char *text)
{
	while (!console_put(text))
		task_sleep_until(heddle_clock() + MILLISECOND);
	last_position = console_position();
}

bool terminal_is_behind(void)
{
	return console_position() != last_position;
}

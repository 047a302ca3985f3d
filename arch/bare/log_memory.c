/*
 * The log in memory on this machine. A reset may lose what only the caches hold, so each line is written back at
 * once.
 */
#include "kernel/log_memory.h"

#include "arch/bare/machine.h"
#include "arch/x86_64/instructions.h"
#include "kernel/console.h"

#define CPUID_1_EDX_FLUSH     (1u << 19)
#define CPUID_1_EBX_LINE(ebx) ((ebx) >> 8 & 0xff) /* bytes flushed at a time, in units of 8 */
#define CPUID_1_EBX_LINE_UNIT 8u

static size_t line_size;

static void log_memory_write_back(const void *memory, size_t bytes)
{
	for (size_t at = 0; at < bytes; at += line_size)
		cache_line_flush((const char *)memory + at);
}

/* False: this processor cannot. */
static bool flush_choose(void)
{
	struct cpuid_result features = cpuid(1, 0);
	line_size = CPUID_1_EBX_LINE(features.ebx) * CPUID_1_EBX_LINE_UNIT;
	return features.edx & CPUID_1_EDX_FLUSH && line_size > 0;
}

void log_memory_start(struct boot_information *boot)
{
	uint64_t place = log_memory_take(boot);
	if (place == 0) {
		log_info("no place in memory is good for a log that survives a reset: the next run will not find "
		         "this one");
		return;
	}
	log_memory_open(&log_memory, (void *)place, LOG_BANK_SLOTS,
	                flush_choose() ? log_memory_write_back : NULL);
	console_keep_early();
	log_debug("the log is kept at 0x%lx for the next run", (unsigned long)place);
	log_memory_report(&log_memory);
}

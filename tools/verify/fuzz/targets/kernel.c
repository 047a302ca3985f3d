/*
 * The kernel below the code under test: a log that formats its lines and drops them.
 */
#include <stdarg.h>

#include "heddle/system.h"
#include "kernel/boot_information.h"
#include "kernel/boot_loader.h"
#include "kernel/console.h"
#include "kernel/format.h"
#include "kernel/memory.h"
#include "kernel/panic.h"
#include "tools/verify/fuzz/targets/fuzz.h"

enum log_level log_level;

static void forget(const char *format, va_list arguments)
{
	char line[CONSOLE_LINE_MAXIMUM];
	format_line(line, sizeof(line), format, arguments);
	fuzz_check_sentence(line, sizeof(line));
}

#define FORGETS(name)                  \
	void name(const char *format, ...) \
	{                                  \
		va_list arguments;             \
		va_start(arguments, format);   \
		forget(format, arguments);     \
		va_end(arguments);             \
	}

FORGETS(log_error)
FORGETS(log_warning)
FORGETS(log_info)
FORGETS(heddle_log)
FORGETS(heddle_print)

/* Nothing that comes from outside may cause this. */
void panic(const char *format, ...)
{
	fprintf(stderr, "panic: %s\n", format);
	abort();
}

void fuzz_check_map(const struct boot_information *boot, uint64_t base, uint64_t length)
{
	uint64_t end = 0;
	FUZZ_CHECK(boot->region_count <= BOOT_REGIONS_MAXIMUM);
	for (unsigned i = 0; i < boot->region_count; i++) {
		const struct boot_region *region = &boot->regions[i];
		FUZZ_CHECK(region->base % PAGE_SIZE == 0 && region->length % PAGE_SIZE == 0);
		FUZZ_CHECK(region->base >= PAGE_SIZE && region->length > 0);
		FUZZ_CHECK(region->base >= end && region->base + region->length > region->base);
		end = region->base + region->length;
		FUZZ_CHECK(length == 0 || end <= base || region->base >= base + length);
	}
}

void fuzz_check_boot(const struct boot_information *boot)
{
	const struct boot_framebuffer *framebuffer = &boot->framebuffer;
	uint64_t size = (uint64_t)framebuffer->pitch * framebuffer->height;
	fuzz_check_sentence(boot->loader, COMMAND_LINE_MAXIMUM);
	FUZZ_CHECK(strnlen(boot->command_line, COMMAND_LINE_MAXIMUM) < COMMAND_LINE_MAXIMUM);
	if (framebuffer->present)
		FUZZ_CHECK(framebuffer->width > 0 && size / framebuffer->pitch == framebuffer->height &&
		           framebuffer->pitch >= (uint64_t)framebuffer->width * ((framebuffer->depth + 7u) / 8));
}

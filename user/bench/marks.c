#include "user/bench/marks.h"

#include "kernel/processor.h"

/* Separate functions, because the address is the meaning: noipa keeps the compiler from merging them. */
#define MARK __attribute__((noipa))

MARK void marks_begin(void)
{
}

MARK void marks_end(void)
{
}

/* The plug-in evaluates only the byte reads in these functions, and ignores their accesses to the stack. */
static inline __attribute__((always_inline)) void read_lines(const volatile unsigned char *memory,
                                                             size_t bytes)
{
	for (size_t i = 0; i < bytes; i += CACHE_LINE)
		(void)memory[i];
	if (bytes)
		(void)memory[bytes - 1];
}

MARK void marks_lock(const void *memory, size_t bytes)
{
	read_lines(memory, bytes);
}

MARK void marks_data(const void *memory, size_t bytes)
{
	read_lines(memory, bytes);
}

MARK void marks_own(const void *memory, size_t bytes)
{
	read_lines(memory, bytes);
}

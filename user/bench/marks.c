#include "user/bench/marks.h"

#include "kernel/processor.h"

/* A function each, whose address is its meaning: noipa keeps the compiler from making one of several. */
#define MARK __attribute__((noipa))

MARK void marks_begin(void)
{
}

MARK void marks_end(void)
{
}

/* The plug-in takes what is read byte by byte in these, and nothing else: not what they do with the stack. */
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

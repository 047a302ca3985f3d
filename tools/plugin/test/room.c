/*
 * Functions ask for more stack if, and only if, what they need is not there: also on a stack at an address that is
 * lower than their frame is large. Prints a line "wrong ..." for each that does not, and at last how many were tried.
 */
#include "room.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define LOW     ((void *)0x100000)
#define SMALL   ((size_t)64 << 10)
#define LARGE   ((size_t)2 << 30)
#define RESERVE 4096 /* below the limit, as each stack has it */

typedef void function(size_t);

/* room.asm */
bool asks_for_more(void *top, uintptr_t limit, function *called, size_t argument);

static const struct {
	const char *name;
	function *called;
	size_t argument, needs;
} cases[] = {
    {"a small frame", frame_small, 0, 200},
    {"a frame of 10 KiB", frame_of_kilobytes, 0, (size_t)10 << 10},
    {"a frame of 40 MiB", frame_of_megabytes, 0, (size_t)40 << 20},
    {"a frame of 1 GiB", frame_of_a_gigabyte, 0, (size_t)1 << 30},
    {"an array of 100 bytes", array, 100, 100},
    {"an array of 40 MiB", array, (size_t)40 << 20, (size_t)40 << 20},
    {"an array as large as the address", array_with_room, 0x100000 + SMALL - 128, 0x100000 + SMALL - 128},
    {"an array of 1 TiB", array_with_room, (size_t)1 << 40, (size_t)1 << 40},
};
static unsigned tried;

/* `foreign`: while foreign code runs, each bit of the limit is inverted, and there is no room for anything. */
static void look(const char *place, char *low, size_t size, bool foreign)
{
	const uintptr_t limit = (uintptr_t)low + RESERVE + 1;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++, tried++) {
		bool wanted = foreign || cases[i].needs > size - RESERVE;
		bool asks =
		    asks_for_more(low + size - 64, foreign ? ~limit : limit, cases[i].called, cases[i].argument);
		if (asks != wanted)
			printf("wrong %s, %s%s: it %s\n", cases[i].name, place, foreign ? " in foreign code" : "",
			       asks ? "asks for more" : "takes the stack for large enough");
	}
}

static char *stack_map(void *at, size_t size)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at ? MAP_FIXED_NOREPLACE : 0);
	void *memory = mmap(at, size, PROT_READ | PROT_WRITE, flags, -1, 0);
	if (memory == MAP_FAILED) {
		perror("mmap");
		exit(1);
	}
	return memory;
}

int main(void)
{
	char *low = stack_map(LOW, SMALL), *high = stack_map(NULL, LARGE);
	look("low", low, SMALL, false);
	look("low", low, SMALL, true);
	look("high", high, LARGE, false);
	printf("tried %u\n", tried);
	return 0;
}

/* Functions that need little and much stack, compiled as the kernel's are, with stacks that grow (room.c). */
#include "room.h"

__attribute__((noinline)) static void touch(volatile char *memory, size_t bytes)
{
	memory[bytes - 1] = 1;
}

void frame_small(size_t unused)
{
	volatile char frame[200];
	(void)unused;
	touch(frame, sizeof(frame));
}

void frame_of_kilobytes(size_t unused)
{
	volatile char frame[10 << 10];
	(void)unused;
	touch(frame, sizeof(frame));
}

void frame_of_megabytes(size_t unused)
{
	volatile char frame[40 << 20];
	(void)unused;
	touch(frame, sizeof(frame));
}

void frame_of_a_gigabyte(size_t unused)
{
	volatile char frame[1 << 30];
	(void)unused;
	touch(frame, sizeof(frame));
}

void array(size_t bytes)
{
	volatile char memory[bytes];
	touch(memory, bytes);
}

/* Calls of such functions need room below the array. */
__attribute__((heddle_deep, noinline)) void deep(volatile char *memory, size_t bytes)
{
	touch(memory, bytes);
}

void array_with_room(size_t bytes)
{
	volatile char memory[bytes];
	deep(memory, bytes);
}

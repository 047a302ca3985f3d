/*
 * Calls of the host's kernel, without the C library. What a processor calls while the scheduler works must not lie
 * outside Heddle's own code, where it would count as a task's (requests.c).
 */
#ifndef ARCH_HOSTED_SYSTEM_CALL_H
#define ARCH_HOSTED_SYSTEM_CALL_H

#include <stdint.h>
#include <sys/syscall.h>

/* A call with up to five arguments. Returns what the kernel returns: an error number below 0. Leaves `errno` alone. */
#define system_call(number, ...) system_call_by(number, (const uintptr_t[5]){__VA_ARGS__})

static inline long system_call_by(long number, const uintptr_t arguments[5])
{
	register uintptr_t fourth __asm__("r10") = arguments[3];
	register uintptr_t fifth __asm__("r8") = arguments[4];
	long result;
	__asm__ volatile("syscall"
	                 : "=a"(result)
	                 : "0"(number), "D"(arguments[0]), "S"(arguments[1]), "d"(arguments[2]), "r"(fourth),
	                   "r"(fifth)
	                 : "rcx", "r11", "memory");
	return result;
}

#endif

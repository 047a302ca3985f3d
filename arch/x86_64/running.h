/*
 * What the inline ways of locks need of the machine. Public: user/include/heddle/machine/running.h is a link to this
 * file. Only for code that the plugin compiles, so that it finds the processor's block (quantum.asm).
 *
 * A check, and with it a switch to another processor, comes between two statements, but never within one of these. So
 * each is one statement of assembly.
 */
#ifndef HEDDLE_MACHINE_RUNNING_H
#define HEDDLE_MACHINE_RUNNING_H

#include <stdbool.h>
#include <stdint.h>

#include "heddle/scope.h"

/* Places that layout.c compares with the structures. */
#define HEDDLE_PLACE_SCHEDULER 64    /* `scheduler` in struct processor; */
#define HEDDLE_PLACE_CURRENT   0     /* in that `current`, */
#define HEDDLE_PLACE_GIVER     24    /* and `owed_giver`; */
#define HEDDLE_PLACE_EXTENDED  0x54  /* `schedule.extended` in struct task, */
#define HEDDLE_PLACE_HELD      0x158 /* and `locks.held` */

/* With sanitizers and assertions tasks have other places. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(HEDDLE_DEBUG)
#elif defined(__HEDDLE_PLUGIN__) && defined(__OPTIMIZE__)
#	define HEDDLE_INLINE_WAYS
#endif

#ifdef HEDDLE_INLINE_WAYS

/* Always inline, so it is defined nowhere else; a function of the library of that name is what is called otherwise. */
#	define HEDDLE_INLINE_WAY extern inline __attribute__((gnu_inline, always_inline))

HEDDLE_BEGIN

struct task;

/* The running task. It stays the same, wherever the task goes on. */
HEDDLE_INLINE_WAY struct task *heddle_running(void)
{
	struct task *task;
	__asm__ volatile("movq %%gs:heddle_processor_base+%c1(%%rip), %0\n\t"
	                 "movq %c2(%0), %0"
	                 : "=r"(task)
	                 : "i"(HEDDLE_PLACE_SCHEDULER), "i"(HEDDLE_PLACE_CURRENT));
	return task;
}

/* What it has given up and may take back; a hint, since that may end at any check. */
HEDDLE_INLINE_WAY const void *heddle_running_has_given(void)
{
	const void *given;
	__asm__ volatile("movq %%gs:heddle_processor_base+%c1(%%rip), %0\n\t"
	                 "movq %c2(%0), %0"
	                 : "=r"(given)
	                 : "i"(HEDDLE_PLACE_SCHEDULER), "i"(HEDDLE_PLACE_GIVER));
	return given;
}

/* On a machine of one processor: change the word if it is `from`. Code with checks is not interrupted. */
HEDDLE_INLINE_WAY bool heddle_word_change_alone(uintptr_t *word, uintptr_t from, uintptr_t to)
{
	__asm__ goto("cmpq %1, %0\n\t"
	             "jne %l[other]\n\t"
	             "movq %2, %0"
	             :
	             : "m"(*word), "er"(from), "er"(to)
	             : "cc", "memory"
	             : other);
	return true;
other:
	return false;
}

HEDDLE_END

#endif

#endif

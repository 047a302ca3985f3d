/*
 * What a case sees of the explorer. A case file includes the C files under test, as they are, and describes
 * small programs for a few virtual processors in a table `explore_cases`; the explorer runs them in every
 * order that x86-TSO allows. See README.md.
 */
#ifndef VERIFY_EXPLORER_H
#define VERIFY_EXPLORER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPLORE_PROCESSORS 3

struct explore_case {
	const char *name;
	unsigned processors;
	bool long_run; /* only with --long */
	/* 0: all schedules. Else, for a case that is too large, only those with at most so many switches from a
	 * processor that could go on to another. */
	int switches;
	const void *script; /* for the case file's own use */
	/* Runs alone before the exploration, on memory as the program was loaded. */
	void (*set_up)(const struct explore_case *);
	/* What each virtual processor does. All state outside its stack is in variables of the case file; no
	 * heap. */
	void (*program)(const struct explore_case *, unsigned processor);
	/* Looks at the state at the end of all programs; returns what is wrong with it, or NULL. */
	const char *(*check)(const struct explore_case *);
};

/* Ends with an entry without a name. */
extern const struct explore_case explore_cases[];

/* In set_up: who runs, as seen by the code under test. */
void explore_set_up_as(unsigned processor);

/* Call `thing` what lies in [address, address + size) in the printed schedules. Only in set_up. */
void explore_name(const void *address, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Plain accesses to [address, address + size) are steps of their own: two processors about to make
 * conflicting ones are a data race. Only in set_up. */
void explore_watch(const void *address, size_t size);

/* Stores to [address, address + size) vanish and loads from there give 0, as if nobody looked: for
 * statistics, which would keep states apart that are otherwise the same. Only in set_up. */
void explore_ignore(const void *address, size_t size);

/* From now on nobody may come to [address, address + size), of which the first byte stands for the rest; 0:
 * all may again. */
void explore_free(const void *address, size_t size);

/* This processor can be overtaken by others here. */
void explore_pause(void);

/* This processor goes on at some moment at which ready(argument) holds. Sees memory, not store buffers. */
void explore_wait(bool (*ready)(void *), void *argument);

/* This processor goes on when no other has stores in its buffer. */
void explore_settle(void);

/* The program that runs is wrong; does not return. */
_Noreturn void explore_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A line of the printed schedule. */
void explore_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What an address is called. */
const char *explore_name_of(uint64_t value);

/* The same with what it lies in. */
const char *explore_place_of(uint64_t address);

/*
 * More stacks, for tasks: numbers EXPLORE_PROCESSORS and up; below are the processors' own.
 * explore_stack_begin() makes the stack such that the first switch to it calls entry(), which does not
 * return; explore_stack_end() drops what is on it. explore_stack_switch() leaves the stack that the processor
 * is on, until some processor switches to that one.
 */
#define EXPLORE_STACKS 9
void explore_stack_begin(unsigned stack, void (*entry)(void));
void explore_stack_end(unsigned stack);
void explore_stack_switch(unsigned stack);
unsigned explore_stack(void);

unsigned explore_processor(void);
bool explore_has_ended(unsigned processor);

/* Where variables must be that change during a run but are not in the case file. */
#define EXPLORED __attribute__((section("explored")))

#endif

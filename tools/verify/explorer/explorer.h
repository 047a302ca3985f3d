/*
 * What a case sees of the explorer. A case file includes the unchanged C files under test, and describes small
 * programs for a few virtual processors in a table `explore_cases`; the explorer runs them in every order that
 * x86-TSO allows. See README.md.
 */
#ifndef VERIFY_EXPLORER_H
#define VERIFY_EXPLORER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EXPLORE_PROCESSORS 3

/* A function that reads variables without a step, as explore_wait() calls it. */
#define AS_MEMORY_IS __attribute__((no_sanitize("thread")))

struct explore_case {
	const char *name;
	unsigned processors;
	bool long_run; /* only with --long */
	/* 0: all schedules. For a case that is too large: only schedules with at most that many switches away from a
	 * processor that could go on. */
	int switches;
	const void *script; /* for the case file's own use */
	/* Runs alone before the exploration, on memory as it was loaded. */
	void (*set_up)(const struct explore_case *);
	/* The program of each virtual processor. All state outside its stack is in variables of the case file; there is
	 * no heap. */
	void (*program)(const struct explore_case *, unsigned processor);
	/* Checks the state after all programs have ended; returns what is wrong with it, or NULL. */
	const char *(*check)(const struct explore_case *);
};

/* Ends with an entry without a name. */
extern const struct explore_case explore_cases[];

/* In set_up: the processor that the code under test sees as running. */
void explore_set_up_as(unsigned processor);

/* Use the name `thing` for [address, address + size) in printed schedules. Only in set_up. */
void explore_name(const void *address, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Make plain accesses to [address, address + size) steps: two processors about to make conflicting ones are a data
 * race. Only in set_up. */
void explore_watch(const void *address, size_t size);

/* Stores to [address, address + size) vanish, and loads from there give 0: for statistics, which would distinguish
 * states that are otherwise the same. Only in set_up. */
void explore_ignore(const void *address, size_t size);

/* From now on no processor may access [address, address + size), whose first byte stands for the rest; size 0: all
 * may again. */
void explore_free(const void *address, size_t size);

/* Other processors can overtake this one here. */
void explore_pause(void);

/* This processor goes on at some moment at which ready(argument) holds. Sees memory, not store buffers. */
void explore_wait(bool (*ready)(void *), void *argument);

/* This processor goes on when its buffer is empty. */
void explore_drain(void);

/* This processor goes on when no other one has stores in its buffer. */
void explore_settle(void);

/* In set_up: others can also overtake a processor that is about to store. Without this, a store goes into the buffer at
 * once, which is the same but for explore_settle(): that then waits for stores that have yet to come as well. */
void explore_stores_are_steps(void);

/* The running program is wrong; does not return. */
__attribute__((noreturn)) void explore_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A line of the printed schedule. */
void explore_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The name of an address. */
const char *explore_name_of(uint64_t value);

/* The same, with the object that contains it. */
const char *explore_place_of(uint64_t address);

/*
 * More stacks, for tasks: numbers EXPLORE_PROCESSORS and up; lower numbers are the processors' own.
 * explore_stack_begin() prepares a stack such that the first switch to it calls entry(), which does not return;
 * explore_stack_end() drops its contents. explore_stack_switch() leaves the present stack, until some processor
 * switches back to it.
 */
#define EXPLORE_STACKS 9
void explore_stack_begin(unsigned stack, void (*entry)(void));
void explore_stack_end(unsigned stack);
void explore_stack_switch(unsigned stack);
unsigned explore_stack(void);

unsigned explore_processor(void);
bool explore_has_ended(unsigned processor);

/* For variables that change during a run but are not in the case file. */
#define EXPLORED __attribute__((section("explored")))

#ifdef __cplusplus
}
#endif

#endif

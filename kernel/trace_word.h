/*
 * The value of trace= on the command line: whether to record, how much, and which events (sched/trace.h).
 */
#ifndef KERNEL_TRACE_WORD_H
#define KERNEL_TRACE_WORD_H

#include <stdbool.h>
#include <stdint.h>

struct trace_word {
	bool on;
	bool paused;      /* recording starts when it is asked for */
	uint32_t size;    /* events per processor, a power of two; 0: not given */
	uint32_t groups;  /* a bit for each enum trace_group; 0: all */
	const char *file; /* a file of the host; points into the parsed text; NULL: not given */
};

/* What events= may name, in the order of their names (trace_word.c). */
enum trace_group {
	TRACE_GROUP_SWITCHES,
	TRACE_GROUP_WAITS,
	TRACE_GROUP_LOCKS,
	TRACE_GROUP_TASKS,
	TRACE_GROUP_IDLE,
	TRACE_GROUP_WAKES,
	TRACE_GROUP_MIGRATIONS
};

/* False: it is not understood; trace_word_allowed says what is allowed. */
bool trace_word_parse(const char *value, struct trace_word *result);
extern const char trace_word_allowed[];

#endif

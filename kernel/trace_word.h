/*
 * The value of trace= on the command line: whether, how much and which events are recorded (sched/trace.h).
 */
#ifndef KERNEL_TRACE_WORD_H
#define KERNEL_TRACE_WORD_H

#include <stdbool.h>
#include <stdint.h>

struct trace_word {
	bool on;
	bool paused;      /* events are recorded from when somebody asks for it */
	uint32_t size;    /* events of a processor, a power of two; 0: not said */
	uint32_t groups;  /* a bit for each enum trace_group; 0: all */
	const char *file; /* of the host, inside the text that was parsed; NULL: not said */
};

/* What events= may name, in the order of trace_group_names. */
enum trace_group {
	TRACE_GROUP_SWITCHES,
	TRACE_GROUP_WAITS,
	TRACE_GROUP_LOCKS,
	TRACE_GROUP_TASKS,
	TRACE_GROUP_IDLE,
	TRACE_GROUP_WAKES,
	TRACE_GROUP_MIGRATIONS
};
extern const char *const trace_group_names[];

/* False: it is not understood; trace_word_allowed says what is. */
bool trace_word_parse(const char *value, struct trace_word *result);
extern const char trace_word_allowed[];

#endif

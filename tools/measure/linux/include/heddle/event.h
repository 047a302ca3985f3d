/*
 * An event in the place of Heddle's (user/include/heddle/event.h): a word that threads wait for in the kernel,
 * by a futex. Pthreads have none, and a condition would have all that wait queue up for its mutex again.
 *
 * | operation  | progress                 | takes effect           |
 * |------------|--------------------------|------------------------|
 * | event_set  | wait-free                | at the store of `set`  |
 * | event_wait | blocks until it is set   | when it sees `set`     |
 */
#ifndef HEDDLE_EVENT_H
#define HEDDLE_EVENT_H

#include "heddle/lock.h"

struct event {
	_Atomic uint32_t set; /* 0 or 1 */
};
#define HEDDLE_EVENT_INITIALIZER \
	{                            \
		0                        \
	}

enum heddle_error event_set(struct event *event);
enum heddle_error event_wait(struct event *event);

#endif

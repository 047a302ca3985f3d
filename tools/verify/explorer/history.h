/*
 * Whether the results of operations on a few queues or stacks are possible if each operation takes no time: a history
 * is linearizable if each operation can be assigned one moment between its call and its return at which it happens
 * all at once. Kept step by step: the set of all courses of events that are possible so far (Wing and Gong; Lowe). It
 * is part of the explored state.
 */
#ifndef VERIFY_HISTORY_H
#define VERIFY_HISTORY_H

#include "explorer.h"

#define HISTORY_LISTS 3
/* Items are numbered from 1 to 7; 0 means none. */

/* In set_up: this list is a stack, not a queue. */
void history_make_stack(unsigned list);

/* In set_up: put an item into the list. */
void history_start_with(unsigned list, unsigned item);

/* Call these around an operation of the running processor. */
void history_put_call(unsigned list, unsigned item);
void history_put_return(void);
void history_take_call(unsigned list);
void history_take_return(unsigned item);

/* The same for a put that returns whether the item was the queue's first: when it was put, or later before the
 * return. False may also mean that the item was taken before the return. */
void history_put_return_first(bool was_first);

/* At the end: whether the lists may contain these items, the next to be taken first, in four bits each from the
 * lowest on. */
bool history_may_contain(const uint32_t *contents);

#endif

/*
 * Memory for queue nodes. A node is made once and never given back: memory that was a node stays one.
 */
#ifndef SCHED_NODE_H
#define SCHED_NODE_H

#include "sched/queue.h"

/* A node for a queue made at boot; panics without memory. Boot processor only. */
struct queue_node *node_make_boot(void);

/* A node for a new task, from a page of this processor; NULL: no memory. */
struct queue_node *node_make(void);

/* Forget the pages of an earlier run in the same process; their memory is gone. Boot processor. */
void node_start(void);

#endif

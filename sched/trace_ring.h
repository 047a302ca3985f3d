/*
 * The newest events of one processor. Only that processor writes, over the oldest when the ring is full; others may
 * read at any time. An event is two words.
 *
 * A position counts all events ever written; its slot is position % size. The slot of `written` may just be
 * overwritten, so `size` - 1 events can be read. A reader that has read some looks at `written` again, and drops
 * those whose slot the writer may have overwritten since.
 *
 *     a slot: position p --trace_ring_put, word by word--> position p + size, not published
 *             position p + size, not published --`written` becomes p + size + 1--> published
 *
 * | operation       | together with   | progress  | takes effect                                 |
 * |-----------------|-----------------|-----------|----------------------------------------------|
 * | trace_ring_put  | trace_ring_read | wait-free | at the store of `written`; only by the owner |
 * | trace_ring_read | everything      | wait-free | at its second load of `written`              |
 */
#ifndef SCHED_TRACE_RING_H
#define SCHED_TRACE_RING_H

#include <stdatomic.h>
#include <stdint.h>

#include "kernel/processor.h"

struct trace_event {
	_Atomic uint64_t when, what;
};

/* As it was read. */
struct trace_words {
	uint64_t when, what;
};

/* tools/trace reads it from outside (tools/tracing/area.py). */
struct trace_ring {
	_Atomic uint64_t written;
	uint64_t size;              /* a power of two */
	uint64_t clock_ahead;       /* cycles by which the processor's counter is ahead of processor 0's */
	uint64_t idle_task;         /* the number of the task that it runs when there is no other */
	struct trace_event *events; /* the owner's, as are the fields that follow */
	uint64_t latest;            /* the time of the last event, and of the next */
	uint64_t leaves;            /* if this is not 0: a switch follows in the same step */
	_Alignas(CACHE_LINE_PAIR) char end[0]; /* others' rings are on lines of their own */
};

static inline void trace_ring_put(struct trace_ring *ring, uint64_t when, uint64_t what)
{
	uint64_t position = atomic_load_explicit(&ring->written, memory_order_relaxed);
	struct trace_event *event = &ring->events[position & (ring->size - 1)];
	/* release: `written` was stored before; pairs with the loads in trace_ring_read, whose second look at it must not
	 * miss that this slot is overwritten. */
	atomic_store_explicit(&event->when, when, memory_order_release);
	atomic_store_explicit(&event->what, what, memory_order_release);
	/* release: the event; pairs with the first load in trace_ring_read. */
	atomic_store_explicit(&ring->written, position + 1, memory_order_release);
}

/* Copy at most `most` events from position `*from` on, the oldest first, and set `*from` to the position of the first
 * that was copied: a later one if the first were overwritten. Returns how many. */
uint64_t trace_ring_read(const struct trace_ring *ring, uint64_t *from, struct trace_words *copies,
                         uint64_t most);

#endif

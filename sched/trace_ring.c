#include "sched/trace_ring.h"

/* The position of the oldest complete event. */
static uint64_t oldest(const struct trace_ring *ring, uint64_t written)
{
	return written < ring->size ? 0 : written - ring->size + 1;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

uint64_t trace_ring_read(const struct trace_ring *ring, uint64_t *from, struct trace_words *copies,
                         uint64_t most)
{
	/* acquire: the events; pairs with the last store in trace_ring_put. */
	uint64_t written = atomic_load_explicit(&ring->written, memory_order_acquire);
	uint64_t first = later(*from, oldest(ring, written));
	uint64_t count = first < written ? written - first : 0;
	if (count > most)
		count = most;
	for (uint64_t i = 0; i < count; i++) {
		const struct trace_event *event = &ring->events[(first + i) & (ring->size - 1)];
		/* acquire: before the second look; pairs with the stores in trace_ring_put. */
		copies[i].when = atomic_load_explicit(&event->when, memory_order_acquire);
		copies[i].what = atomic_load_explicit(&event->what, memory_order_acquire);
	}
	uint64_t whole = oldest(ring, atomic_load_explicit(&ring->written, memory_order_relaxed));
	uint64_t gone = later(first, whole) - first;
	if (gone > count)
		gone = count;
	for (uint64_t i = gone; i < count; i++)
		copies[i - gone] = copies[i];
	*from = first + gone;
	return count - gone;
}

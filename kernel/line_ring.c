#include "kernel/line_ring.h"

static uint64_t round_of(const struct line_ring *ring, uint64_t position)
{
	return position & ~(ring->size - 1);
}

static struct line *line_at(const struct line_ring *ring, uint64_t position)
{
	return &ring->lines[position & (ring->size - 1)];
}

void line_ring_reset(struct line_ring *ring)
{
	for (uint64_t slot = 0; slot < ring->size; slot++)
		atomic_store_explicit(&ring->lines[slot].state, 0, memory_order_relaxed);
	atomic_store_explicit(&ring->tail, 0, memory_order_relaxed);
	atomic_store_explicit(&ring->head, 0, memory_order_relaxed);
	atomic_store_explicit(&ring->dropped, 0, memory_order_relaxed);
	ring->dropped_reported = 0;
	atomic_store_explicit(&ring->serving, LINE_RING_IDLE, memory_order_relaxed);
}

/* The slot of a position, which now is the caller's; NULL: the ring is full. */
static struct line *line_ring_claim(struct line_ring *ring, uint64_t *position)
{
	*position = atomic_load_explicit(&ring->tail, memory_order_relaxed);
	for (;;) {
		struct line *line = line_at(ring, *position);
		/* acquire: pairs with the release in put_line, which has read the text that was there. */
		uint64_t state = atomic_load_explicit(&line->state, memory_order_acquire);
		uint64_t free = round_of(ring, *position);
		if (state == free) {
			/* free -> claimed */
			if (atomic_compare_exchange_weak_explicit(&ring->tail, position, *position + 1,
			                                          memory_order_relaxed, memory_order_relaxed))
				return line;
		} else if (state < free) {
			return NULL; /* the slot still holds the line of the round before */
		} else {
			*position = atomic_load_explicit(&ring->tail, memory_order_relaxed);
		}
	}
}

bool line_ring_write(struct line_ring *ring, unsigned stream, const char *text, size_t length)
{
	uint64_t position;
	struct line *line = line_ring_claim(ring, &position);
	if (!line)
		return false;
	line->stream = (uint8_t)stream;
	line->length = (uint16_t)(length + 1);
	for (size_t i = 0; i < length; i++)
		line->text[i] = text[i];
	line->text[length] = '\n';
	/* claimed -> published; release: the text, pairs with the acquire in put_line. */
	atomic_store_explicit(&line->state, round_of(ring, position) + 1, memory_order_release);
	return true;
}

void line_ring_drop(struct line_ring *ring)
{
	/* relaxed: the exchange in line_ring_serve hands it to the server. */
	atomic_fetch_add_explicit(&ring->dropped, 1, memory_order_relaxed);
}

static bool put_line(struct line_ring *ring, uint64_t position)
{
	struct line *line = line_at(ring, position);
	/* acquire: pairs with the release in line_ring_write. */
	if (atomic_load_explicit(&line->state, memory_order_acquire) != round_of(ring, position) + 1)
		return false;
	ring->put(line);
	/* published -> free; release: pairs with the acquire in line_ring_claim. */
	atomic_store_explicit(&line->state, round_of(ring, position) + ring->size, memory_order_release);
	return true;
}

/* Put out at most a ring of lines, then say how many were dropped meanwhile. False: nothing more was published. */
static bool put_some(struct line_ring *ring)
{
	uint64_t position = atomic_load_explicit(&ring->head, memory_order_relaxed);
	uint64_t end = position + ring->size;
	while (position < end && put_line(ring, position)) {
		position++;
		/* release: pairs with the acquire in console_flush. */
		atomic_store_explicit(&ring->head, position, memory_order_release);
	}
	unsigned long dropped = atomic_load_explicit(&ring->dropped, memory_order_relaxed);
	if (dropped != ring->dropped_reported)
		ring->put_dropped(dropped - ring->dropped_reported);
	ring->dropped_reported = dropped;
	return position == end;
}

void line_ring_serve(struct line_ring *ring)
{
	/* IDLE -> NEWS, or any -> NEWS. release: what the caller published, pairs with the acquire of the
	 * exchange below; acquire: pairs with the release of SERVING -> IDLE, the server's fields. */
	if (atomic_exchange_explicit(&ring->serving, LINE_RING_NEWS, memory_order_acq_rel) != LINE_RING_IDLE)
		return;
	unsigned serving;
	do {
		/* NEWS -> SERVING; acquire: pairs with the release of writers that left NEWS. */
		atomic_exchange_explicit(&ring->serving, LINE_RING_SERVING, memory_order_acq_rel);
		while (put_some(ring))
			continue;
		serving = LINE_RING_SERVING;
		/* SERVING -> IDLE; release: the server's fields, pairs with the acquire of IDLE -> NEWS. */
	} while (!atomic_compare_exchange_strong_explicit(&ring->serving, &serving, LINE_RING_IDLE,
	                                                  memory_order_release, memory_order_relaxed));
}

void line_ring_take_over(struct line_ring *ring)
{
	uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
	for (uint64_t position = atomic_load_explicit(&ring->head, memory_order_acquire); position < tail;
	     position++)
		put_line(ring, position); /* skips slots that were claimed and never published */
	atomic_store_explicit(&ring->head, tail, memory_order_release);
}

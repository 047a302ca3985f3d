/*
 * A bounded ring of lines. Any processor may write; one at a time, the holder of the serving word, puts the lines
 * out.
 *
 * State diagram of a slot. A position counts all lines ever written; its slot is position % size and its round is the
 * position minus the slot, a multiple of the size. So a ring of zeros is a valid, empty ring.
 *
 *     (round) free --CAS tail: position -> position + 1--> (round) claimed, by the writer of that position
 *     (round) claimed --text written, then the state--> (round + 1) published
 *     (round + 1) published --put out by the server--> (round + size) free, for the next round
 *
 * State diagram of the serving word. Every writer changes it after it has published:
 *
 *     IDLE --a writer--> NEWS: the writer is the server
 *     SERVING or NEWS --a writer--> NEWS: a server is active, the writer goes
 *     NEWS --the server, before it looks at the slots--> SERVING
 *     SERVING --the server, after it found no published slot--> IDLE: it goes
 *
 * What must hold: a published line has a server. All changes of the word are read-modify-writes, so they are in one
 * order. If a writer comes before NEWS -> SERVING, the server's next look finds its line; if it comes after, it makes
 * SERVING -> IDLE fail, and the server looks again. A line behind a slot that is claimed and not yet published waits
 * for that slot, whose writer comes to the word later than both.
 *
 * | operation       | progress                        | takes effect             |
 * |-----------------|---------------------------------|--------------------------|
 * | line_ring_write | lock-free                       | at the CAS; full: at the |
 * |                 |                                 | load of the state        |
 * | line_ring_drop  | wait-free                       | at the addition          |
 * | line_ring_serve | wait-free where another serves; | at the exchange          |
 * |                 | the server goes on as long as   |                          |
 * |                 | others write                    |                          |
 */
#ifndef KERNEL_LINE_RING_H
#define KERNEL_LINE_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/console.h"
#include "kernel/processor.h"

struct line {
	_Atomic uint64_t state;
	uint16_t length;
	uint8_t stream;                      /* enum arch_stream */
	char text[CONSOLE_LINE_MAXIMUM + 1]; /* with its line end, without a closing 0 */
};

enum line_serving { LINE_RING_IDLE, LINE_RING_SERVING, LINE_RING_NEWS };

struct line_ring {
	struct line *lines;
	uint64_t size;                              /* a power of two, at least 2 */
	void (*put)(const struct line *line);       /* called by the server, in the order of the positions */
	void (*put_dropped)(unsigned long dropped); /* called by the server: how many more lines were dropped */
	_Alignas(CACHE_LINE) _Atomic uint64_t tail; /* position of the next line to be written */
	_Alignas(CACHE_LINE) _Atomic uint64_t head; /* position of the next to put out; the server changes it */
	_Atomic unsigned long dropped;
	unsigned long dropped_reported; /* the server's */
	_Alignas(CACHE_LINE) _Atomic unsigned serving;
};

/* Forget all lines, claimed ones too, and the count of dropped ones. Only while no processor uses the ring. */
void line_ring_reset(struct line_ring *ring);

/* Publish a line of at most CONSOLE_LINE_MAXIMUM bytes; its line end is added. False: the ring is full. In both cases
 * the caller must then call line_ring_serve(). */
bool line_ring_write(struct line_ring *ring, unsigned stream, const char *text, size_t length);

/* Count a line that its writer gives up because the ring is full. Then line_ring_serve(), too. */
void line_ring_drop(struct line_ring *ring);

/* Put out what is published, or leave that to the processor that already does. */
void line_ring_serve(struct line_ring *ring);

/* Put out every published line, even if another processor serves: for the last processor that runs. */
void line_ring_take_over(struct line_ring *ring);

#endif

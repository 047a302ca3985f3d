/*
 * A bounded ring of lines that anybody may write and that one at a time puts out: whoever holds the serving
 * word.
 *
 * State diagram of a slot. A position counts all lines ever written; its slot is position % size and its
 * round is the position without the slot, a multiple of the size. So a ring of zeros is a valid, empty ring.
 *
 *     (round) free --CAS tail: position -> position + 1--> (round) claimed, by the writer of that position
 *     (round) claimed --text written, then the state--> (round + 1) published
 *     (round + 1) published --put out by the server--> (round + size) free, for the next round
 *
 * State diagram of the serving word. Every writer passes through it after it has published:
 *
 *     IDLE --a writer--> NEWS: the writer is the server
 *     SERVING or NEWS --a writer--> NEWS: somebody serves, the writer goes
 *     NEWS --the server, before it looks at the slots--> SERVING
 *     SERVING --the server, after it found no published slot--> IDLE: it goes
 *
 * What must hold: a published line has a server. All changes of the word are read-modify-writes, so they are
 * in one order. A writer that comes before NEWS -> SERVING has its line seen by the look that follows; one
 * that comes after makes SERVING -> IDLE fail, and the server looks again. A line behind one that is claimed
 * and not yet published waits for it; the writer of that one comes to the word later than both.
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
	void (*put_dropped)(unsigned long dropped); /* called by the server: so many more lines were dropped */
	_Alignas(CACHE_LINE) _Atomic uint64_t tail; /* position of the next line to be written */
	_Alignas(CACHE_LINE) _Atomic uint64_t head; /* of the next to be put out; changed by the server */
	_Atomic unsigned long dropped;
	unsigned long dropped_reported; /* the server's */
	_Alignas(CACHE_LINE) _Atomic unsigned serving;
};

/* Forget all lines, whoever was at them, and how many were dropped: where nobody is any more. */
void line_ring_reset(struct line_ring *ring);

/* Publish a line of at most CONSOLE_LINE_MAXIMUM bytes; its line end is added. False: the ring is full. After
 * either the caller must call line_ring_serve(). */
bool line_ring_write(struct line_ring *ring, unsigned stream, const char *text, size_t length);

/* Count a line that found the ring full and that its writer gives up. Then line_ring_serve(), too. */
void line_ring_drop(struct line_ring *ring);

/* Put out what is published, or leave that to whoever is at it. */
void line_ring_serve(struct line_ring *ring);

/* Put out every published line, whoever serves: for the last processor that runs. */
void line_ring_take_over(struct line_ring *ring);

#endif

/*
 * A small buffer of numbers from one writing task to one reading task, which needs no serving as a channel does. A
 * side that must wait says so, looks again, and suspends.
 *
 * | operation       | together with   | progress                             | takes effect                 |
 * |-----------------|-----------------|--------------------------------------|------------------------------|
 * | pipe_send       | pipe_receive    | suspends while the buffer is full    | at the store of `written`    |
 * | pipe_receive    | pipe_send       | suspends while the buffer is empty   | at the store of `read`       |
 *
 * Each side stores its counter, then loads the other's waiting flag; a waiting side stores the flag, then loads the
 * counter. All four are sequentially consistent, so at least one of the two sees the other, and no wake-up is lost.
 */
#ifndef USER_BENCH_PIPE_H
#define USER_BENCH_PIPE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "heddle/task.h"

#define PIPE_LENGTH 64

struct pipe {
	struct task *writer,
	    *reader; /* `reader` is used by the writer only, and set before its first pipe_send() */
	_Atomic uint32_t written, read;
	atomic_bool writer_waits, reader_waits;
	uint32_t numbers[PIPE_LENGTH]; /* number i is at i modulo the length, from `written` until `read`
	                                     passes it */
};

/* The caller is the writer. */
static inline void pipe_create(struct pipe *pipe)
{
	pipe->writer = task_current();
	pipe->reader = NULL;
	atomic_init(&pipe->written, 0);
	atomic_init(&pipe->read, 0);
	atomic_init(&pipe->writer_waits, false);
	atomic_init(&pipe->reader_waits, false);
}

/* Declare that the caller waits, until `counter` differs from `value`. */
static inline void pipe_wait(_Atomic uint32_t *counter, uint32_t value, atomic_bool *waits)
{
	while (atomic_load_explicit(counter, memory_order_acquire) == value) {
		atomic_store_explicit(waits, true, memory_order_seq_cst);
		if (atomic_load_explicit(counter, memory_order_seq_cst) == value)
			task_suspend();
	}
}

/* Store the caller's counter, and resume the other side if it waits. */
static inline void pipe_advance(_Atomic uint32_t *counter, uint32_t value, atomic_bool *waits,
                                struct task *other)
{
	/* its release half pairs with the acquire in pipe_wait: the number is there, or its place is free */
	atomic_store_explicit(counter, value, memory_order_seq_cst);
	if (atomic_load_explicit(waits, memory_order_seq_cst)) {
		atomic_store_explicit(waits, false, memory_order_relaxed);
		task_resume(other);
	}
}

static inline void pipe_send(struct pipe *pipe, uint32_t number)
{
	uint32_t written = atomic_load_explicit(&pipe->written, memory_order_relaxed);
	pipe_wait(&pipe->read, written - PIPE_LENGTH, &pipe->writer_waits);
	pipe->numbers[written % PIPE_LENGTH] = number;
	pipe_advance(&pipe->written, written + 1, &pipe->reader_waits, pipe->reader);
}

static inline uint32_t pipe_receive(struct pipe *pipe)
{
	uint32_t read = atomic_load_explicit(&pipe->read, memory_order_relaxed);
	pipe_wait(&pipe->written, read, &pipe->reader_waits);
	uint32_t number = pipe->numbers[read % PIPE_LENGTH];
	pipe_advance(&pipe->read, read + 1, &pipe->writer_waits, pipe->writer);
	return number;
}

#endif

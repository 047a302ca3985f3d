/*
 * A small buffer of numbers between two tasks, until there are channels in the public API. One task writes,
 * one reads; who has to wait says so, looks again, and suspends.
 *
 * | operation       | together with   | progress                             | takes effect                 |
 * |-----------------|-----------------|--------------------------------------|------------------------------|
 * | channel_send    | channel_receive | suspends while the buffer is full    | at the store of `written`    |
 * | channel_receive | channel_send    | suspends while the buffer is empty   | at the store of `read`       |
 *
 * Each side stores its counter, then loads the other's waiting flag; who waits stores the flag, then loads
 * the counter. All four are sequentially consistent, so at least one of the two sees the other, and no
 * wake-up is lost.
 */
#ifndef USER_BENCH_CHANNEL_H
#define USER_BENCH_CHANNEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "heddle/task.h"

#define CHANNEL_LENGTH 64

struct channel {
	struct task *writer,
	    *reader; /* `reader` is used by the writer only, and set before its first channel_send() */
	_Atomic uint32_t written, read;
	atomic_bool writer_waits, reader_waits;
	uint32_t numbers[CHANNEL_LENGTH]; /* number i is at i modulo the length, from `written` until `read`
	                                     passes it */
};

/* The caller is the writer. */
static inline void channel_create(struct channel *channel)
{
	channel->writer = task_current();
	channel->reader = NULL;
	atomic_init(&channel->written, 0);
	atomic_init(&channel->read, 0);
	atomic_init(&channel->writer_waits, false);
	atomic_init(&channel->reader_waits, false);
}

/* Say that the caller waits, until `counter` is no longer at `value`. */
static inline void channel_wait(_Atomic uint32_t *counter, uint32_t value, atomic_bool *waits)
{
	while (atomic_load_explicit(counter, memory_order_acquire) == value) {
		atomic_store_explicit(waits, true, memory_order_seq_cst);
		if (atomic_load_explicit(counter, memory_order_seq_cst) == value)
			task_suspend();
	}
}

/* Store the caller's counter, and resume the other side if it waits. */
static inline void channel_advance(_Atomic uint32_t *counter, uint32_t value, atomic_bool *waits,
                                   struct task *other)
{
	/* its release half pairs with the acquire in channel_wait: the number is there, or its place is free */
	atomic_store_explicit(counter, value, memory_order_seq_cst);
	if (atomic_load_explicit(waits, memory_order_seq_cst)) {
		atomic_store_explicit(waits, false, memory_order_relaxed);
		task_resume(other);
	}
}

static inline void channel_send(struct channel *channel, uint32_t number)
{
	uint32_t written = atomic_load_explicit(&channel->written, memory_order_relaxed);
	channel_wait(&channel->read, written - CHANNEL_LENGTH, &channel->writer_waits);
	channel->numbers[written % CHANNEL_LENGTH] = number;
	channel_advance(&channel->written, written + 1, &channel->reader_waits, channel->reader);
}

static inline uint32_t channel_receive(struct channel *channel)
{
	uint32_t read = atomic_load_explicit(&channel->read, memory_order_relaxed);
	channel_wait(&channel->written, read, &channel->reader_waits);
	uint32_t number = channel->numbers[read % CHANNEL_LENGTH];
	channel_advance(&channel->read, read + 1, &channel->writer_waits, channel->writer);
	return number;
}

#endif

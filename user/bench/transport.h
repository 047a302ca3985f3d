/*
 * A connection in memory, for conversation.h: a stream passes references to bytes, in the order in which they were
 * sent; nothing is copied. One task writes, one reads. A side that must wait suspends, and looks again whenever it was
 * resumed. The other side resumes it after each store that it may wait for: if it does not wait yet, it has a permit
 * (task_resume()). So no side says that it waits, and plain stores are enough. Each does this as rarely as it can: the
 * writer when the stream is full or on stream_flush(); the reader when it has taken everything that it knows of, and as
 * much as a stream holds since the last time: before that, the writer does not wait.
 *
 * | operation      | together with  | progress                          | takes effect              |
 * |----------------|----------------|-----------------------------------|---------------------------|
 * | stream_send    | stream_receive | suspends while the stream is full | at the next stream_flush  |
 * | stream_flush   | stream_receive | wait-free but for task_resume()   | at the store of `written` |
 * | stream_receive | all of these   | suspends while nothing is there   | at the store of `read`    |
 */
#ifndef USER_BENCH_TRANSPORT_H
#define USER_BENCH_TRANSPORT_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "heddle/task.h"

#define STREAM_LENGTH 16

struct stream {
	struct task *writer, *reader;
	/* How a side waits; NULL: as the compiler's plugin calls task_suspend(). */
	enum heddle_error (*suspend)(void);
	_Atomic uint32_t written, read; /* counters that the other side sees */
	uint32_t sent, freed;           /* the writer's: how many it has sent, and how many it knows were taken */
	uint32_t taken, seen;           /* the reader's: how many it has taken, how many it knows have come, */
	uint32_t told;                  /* and how many it had taken when it last resumed the writer */
	struct {
		const char *bytes;
		size_t size;         /* 0: the end */
	} pieces[STREAM_LENGTH]; /* piece i is at i modulo the length */
};

static inline void stream_create(struct stream *stream, struct task *writer, struct task *reader,
                                 enum heddle_error (*suspend)(void))
{
	*stream = (struct stream){.writer = writer, .reader = reader, .suspend = suspend};
}

/* Wait until a counter of the stream is not `value` any more; returns what it is then. */
static inline uint32_t stream_wait(const struct stream *stream, const _Atomic uint32_t *counter,
                                   uint32_t value)
{
	uint32_t now;
	/* acquire: the pieces are there, or their places are free; pairs with the releases below. */
	while ((now = atomic_load_explicit(counter, memory_order_acquire)) == value) {
		if (stream->suspend)
			stream->suspend();
		else
			task_suspend();
	}
	return now;
}

/* The caller of this and the next three is the writer. */
static inline void stream_flush(struct stream *stream)
{
	if (stream->sent == atomic_load_explicit(&stream->written, memory_order_relaxed))
		return;
	/* release: the pieces; pairs with stream_wait() of the reader. */
	atomic_store_explicit(&stream->written, stream->sent, memory_order_release);
	task_resume(stream->reader);
}

/* The stream looks full. */
static inline void stream_make_room(struct stream *stream)
{
	/* acquire: as in stream_wait(). */
	uint32_t read = atomic_load_explicit(&stream->read, memory_order_acquire);
	if (read == stream->freed) {
		stream_flush(stream);
		read = stream_wait(stream, &stream->read, stream->freed);
	}
	stream->freed = read;
}

static inline void stream_put(struct stream *stream, const char *bytes, size_t size)
{
	if (stream->sent - stream->freed == STREAM_LENGTH)
		stream_make_room(stream);
	stream->pieces[stream->sent % STREAM_LENGTH].bytes = bytes;
	stream->pieces[stream->sent % STREAM_LENGTH].size = size;
	stream->sent++;
}

static inline void stream_send(struct stream *stream, const char *bytes, size_t size)
{
	if (size)
		stream_put(stream, bytes, size);
}

static inline void stream_end(struct stream *stream)
{
	stream_put(stream, NULL, 0);
	stream_flush(stream);
}

/* The reader has taken all that it knows of. */
static inline void stream_give_back(struct stream *stream)
{
	/* release: the places; pairs with stream_make_room(). */
	atomic_store_explicit(&stream->read, stream->taken, memory_order_release);
	if (stream->taken - stream->told < STREAM_LENGTH)
		return;
	stream->told = stream->taken;
	task_resume(stream->writer);
}

/* The caller is the reader. */
static inline size_t stream_receive(struct stream *stream, const char **bytes)
{
	if (stream->taken == stream->seen) {
		if (stream->taken != atomic_load_explicit(&stream->read, memory_order_relaxed))
			stream_give_back(stream);
		stream->seen = stream_wait(stream, &stream->written, stream->taken);
	}
	uint32_t place = stream->taken++ % STREAM_LENGTH;
	*bytes = stream->pieces[place].bytes;
	return stream->pieces[place].size;
}

#endif

/*
 * A connection in memory, for conversation.h: a stream passes references to bytes, in the order in which they were
 * sent; nothing is copied. It waits as a pipe does (pipe.h): one task writes, one reads. Each side notifies the other
 * as rarely as it can: the writer when the stream is full or on stream_flush(), the reader when it has taken
 * everything that it knows of.
 *
 * | operation      | together with  | progress                          | takes effect              |
 * |----------------|----------------|-----------------------------------|---------------------------|
 * | stream_send    | stream_receive | suspends while the stream is full | at the next stream_flush  |
 * | stream_flush   | stream_receive | wait-free but for task_resume()   | at the store of `written` |
 * | stream_receive | all of these   | suspends while nothing is there   | at the store of `read`    |
 */
#ifndef USER_BENCH_TRANSPORT_H
#define USER_BENCH_TRANSPORT_H

#include "user/bench/pipe.h"

#define STREAM_LENGTH 16

struct stream {
	struct task *writer, *reader;
	_Atomic uint32_t written, read; /* counters that the other side sees */
	atomic_bool writer_waits, reader_waits;
	uint32_t sent, freed; /* the writer's: how many it has sent, and how many it knows were taken */
	uint32_t taken, seen; /* the reader's: how many it has taken, and how many it knows have come */
	struct {
		const char *bytes;
		size_t size;         /* 0: the end */
	} pieces[STREAM_LENGTH]; /* piece i is at i modulo the length */
};

static inline void stream_create(struct stream *stream, struct task *writer, struct task *reader)
{
	*stream = (struct stream){.writer = writer, .reader = reader};
}

/* The caller of this and the next three is the writer. */
static inline void stream_flush(struct stream *stream)
{
	if (stream->sent != atomic_load_explicit(&stream->written, memory_order_relaxed))
		pipe_advance(&stream->written, stream->sent, &stream->reader_waits, stream->reader);
}

static inline void stream_put(struct stream *stream, const char *bytes, size_t size)
{
	if (stream->sent - stream->freed == STREAM_LENGTH) {
		stream_flush(stream);
		pipe_wait(&stream->read, stream->freed, &stream->writer_waits);
		/* acquire: pairs with pipe_advance in stream_receive; their places are free */
		stream->freed = atomic_load_explicit(&stream->read, memory_order_acquire);
	}
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

/* The caller is the reader. */
static inline size_t stream_receive(struct stream *stream, const char **bytes)
{
	if (stream->taken == stream->seen) {
		if (stream->taken != atomic_load_explicit(&stream->read, memory_order_relaxed))
			pipe_advance(&stream->read, stream->taken, &stream->writer_waits, stream->writer);
		pipe_wait(&stream->written, stream->taken, &stream->reader_waits);
		/* acquire: pairs with pipe_advance in stream_flush; the pieces are there */
		stream->seen = atomic_load_explicit(&stream->written, memory_order_acquire);
	}
	uint32_t place = stream->taken++ % STREAM_LENGTH;
	*bytes = stream->pieces[place].bytes;
	return stream->pieces[place].size;
}

#endif

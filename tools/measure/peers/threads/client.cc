/*
 * HTTP and RPC clients, as user/bench/client.c: a stream is a ring of references, with a mutex and conditions.
 */
#include "threads/crew.hpp"

struct stream {
	static constexpr unsigned length = 16;
	struct piece {
		const char *bytes;
		std::size_t size;
	};

	piece pieces[length];
	unsigned sent = 0, taken = 0;   // the sides' own,
	unsigned written = 0, read = 0; // what they have told each other,
	unsigned freed = 0, seen = 0;   // and what they know of it
	runtime::mutex mutex;
	runtime::condition is_written, is_read;
};

static inline void stream_flush(stream *stream)
{
	if (stream->sent == stream->written) // only the writer changes these
		return;
	guard lock(stream->mutex);
	stream->written = stream->sent;
	lock.unlock();
	stream->is_written.notify_one();
}

static inline void stream_put(stream *stream, const char *bytes, std::size_t size)
{
	if (stream->sent - stream->freed == stream::length) {
		stream_flush(stream);
		guard lock(stream->mutex);
		stream->is_read.wait(lock, [=] { return stream->read != stream->freed; });
		stream->freed = stream->read;
	}
	stream->pieces[stream->sent++ % stream::length] = {bytes, size};
}

static inline std::size_t stream_receive(stream *stream, const char **bytes)
{
	if (stream->taken == stream->seen) {
		guard lock(stream->mutex);
		stream->read = stream->taken;
		stream->is_read.notify_one();
		stream->is_written.wait(lock, [=] { return stream->written != stream->taken; });
		stream->seen = stream->written;
	}
	stream::piece piece = stream->pieces[stream->taken++ % stream::length];
	*bytes = piece.bytes;
	return piece.size;
}

#include "common/client.hpp"

int main(int argc, char **argv)
{
	auto run_all = [](const auto &functions) {
		return crew_run(functions.size(), [&](uint64_t number) { functions[number](); });
	};
	return runtime::run(1, [&] { return bench::client_measure(argc, argv, runtime::name, run_all); });
}

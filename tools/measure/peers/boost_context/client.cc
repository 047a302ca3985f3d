/*
 * HTTP and RPC clients, as user/bench/client.c, on fibers in one thread: a stream needs nothing atomic.
 */
#include "boost_context/scheduler.hpp"

static boost_context::scheduler *tasks;

struct piece {
	const char *bytes;
	std::size_t size;
};

struct stream {
	static constexpr unsigned length = 16;
	piece pieces[length];
	unsigned sent = 0, taken = 0;
	boost_context::task *writer = nullptr, *reader = nullptr; // those that wait, or nullptr

	void wait(boost_context::task *&place)
	{
		place = tasks->current();
		tasks->suspend();
	}

	void wake(boost_context::task *&place)
	{
		if (place)
			tasks->resume(place);
		place = nullptr;
	}
};

static inline void stream_flush(stream *stream)
{
	stream->wake(stream->reader);
}

static inline void stream_put(stream *stream, const char *bytes, std::size_t size)
{
	while (stream->sent - stream->taken == stream::length) {
		stream_flush(stream);
		stream->wait(stream->writer);
	}
	stream->pieces[stream->sent++ % stream::length] = {bytes, size};
}

static inline std::size_t stream_receive(stream *stream, const char **bytes)
{
	while (stream->taken == stream->sent) {
		stream->wake(stream->writer);
		stream->wait(stream->reader);
	}
	piece piece = stream->pieces[stream->taken++ % stream::length];
	*bytes = piece.bytes;
	return piece.size;
}

#include "common/client.hpp"

int main(int argc, char **argv)
{
	return bench::client_measure(argc, argv, "boost-context", [](const auto &functions) {
		boost_context::scheduler scheduler;
		tasks = &scheduler;
		for (const auto &each : functions)
			scheduler.add(each);
		uint64_t start = bench::clock();
		scheduler.run();
		return bench::clock() - start;
	});
}

/*
 * Files sent through a chain of calls that yields each time, as user/bench/write.c: each call is a coroutine that
 * its caller awaits.
 */
#ifndef PEERS_CPP20_WRITE_HPP
#define PEERS_CPP20_WRITE_HPP

#include "common/write.hpp"
#include "cpp20/call.hpp"

namespace cpp20
{

/* Where each task goes on. They take turns in a ring, and a task that ends leaves it. */
struct writer {
	std::coroutine_handle<> place;
	writer *next = nullptr, *before = nullptr;
};

inline writer *current;

struct to_next {
	bool await_ready() const noexcept
	{
		return false;
	}

	std::coroutine_handle<> await_suspend(std::coroutine_handle<> left)
	{
		current->place = left;
		current = current->next;
		return current->place;
	}

	void await_resume() const noexcept
	{
	}
};

inline call wait_for_ready(bench::connection &)
{
	co_await to_next{};
	co_return 0;
}

inline call send_some(bench::connection &to, uint64_t offset, uint64_t count)
{
	co_await wait_for_ready(to);
	co_return to.take(offset, count);
}

inline call write_fully(bench::connection &to, uint64_t length)
{
	uint64_t offset = 0;
	while (offset < length)
		offset += co_await send_some(to, offset, length - offset);
	co_return offset;
}

/* A task that ends comes back here. */
inline void run(std::vector<writer> &writers)
{
	for (std::size_t i = 0; i < writers.size(); i++) {
		writers[i].next = &writers[(i + 1) % writers.size()];
		writers[i].before = &writers[(i + writers.size() - 1) % writers.size()];
	}
	current = &writers[0];
	for (std::size_t left = writers.size(); left; left--) {
		current->place.resume();
		current->before->next = current->next;
		current->next->before = current->before;
		current = current->next;
	}
}

inline uint64_t write_all(std::vector<bench::connection> &connections, uint64_t length, bool is_pooled)
{
	frame_pool::is_used = is_pooled;
	std::vector<call> calls;
	std::vector<writer> writers;
	for (bench::connection &each : connections)
		writers.push_back({calls.emplace_back(write_fully(each, length)).start()});
	uint64_t start = bench::clock();
	run(writers);
	return bench::clock() - start;
}

} // namespace cpp20

#endif

/*
 * The runtime `boost-fiber`: a task is a fiber. One processor is the thread of main() with the default
 * scheduler, round robin; several are as many threads, which steal work from each other. FIBER_LOCKS is a header with
 * other locks than the library's.
 */
#ifndef PEERS_THREADS_BOOST_FIBER_HPP
#define PEERS_THREADS_BOOST_FIBER_HPP

#include <boost/fiber/all.hpp>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "common/bench.hpp"

#ifdef FIBER_LOCKS
#	include FIBER_LOCKS
#else
namespace runtime
{

constexpr const char *name = "boost-fiber";

using mutex = boost::fibers::mutex;
using condition = boost::fibers::condition_variable;
using stealing = boost::fibers::algo::work_stealing;

} // namespace runtime
#endif

namespace runtime
{

constexpr std::size_t stack_size = 16 << 10;

inline void yield()
{
	boost::this_fiber::yield();
}

/* Stacks from a pool are used again without a call of the system, but the pool is of one thread. */
inline bool one_processor = true;

inline boost::fibers::pooled_fixedsize_stack &pool()
{
	static boost::fibers::pooled_fixedsize_stack stacks(stack_size);
	return stacks;
}

class task
{
	boost::fibers::fiber fiber;

	template <class Function> static boost::fibers::fiber make(Function start)
	{
		auto later = boost::fibers::launch::post;
		if (one_processor)
			return boost::fibers::fiber(later, std::allocator_arg, pool(), std::move(start));
		return boost::fibers::fiber(later, std::allocator_arg, boost::fibers::fixedsize_stack(stack_size),
		                            std::move(start));
	}

  public:
	template <class Function> explicit task(Function start) : fiber(make(std::move(start)))
	{
	}

	void join()
	{
		fiber.join();
	}
};

/* Boost.Fiber has none; this is how one is made of what it has. */
class semaphore
{
	mutex guard;
	condition is_some;
	unsigned permits;

  public:
	explicit semaphore(unsigned count) : permits(count)
	{
	}

	void acquire()
	{
		std::unique_lock<mutex> lock(guard);
		is_some.wait(lock, [this] { return permits > 0; });
		permits--;
	}

	void release()
	{
		std::unique_lock<mutex> lock(guard);
		permits++;
		lock.unlock();
		is_some.notify_one();
	}
};

/* Run `main` with fibers on that many threads. */
template <class Main> int run(uint64_t processors, Main main)
{
	if (processors == 1)
		return main();
	one_processor = false;
	mutex guard;
	condition ended;
	bool is_over = false;
	std::vector<std::thread> others;
	auto threads = static_cast<uint32_t>(processors);
	for (uint64_t i = 1; i < processors; i++)
		others.emplace_back([&] {
			boost::fibers::use_scheduling_algorithm<stealing>(threads);
			std::unique_lock<mutex> lock(guard);
			ended.wait(lock, [&] { return is_over; });
		});
	boost::fibers::use_scheduling_algorithm<stealing>(threads);
	int status = main();
	{
		std::unique_lock<mutex> lock(guard);
		is_over = true;
	}
	ended.notify_all();
	for (std::thread &other : others)
		other.join();
	return status;
}

} // namespace runtime

#endif

/*
 * What the programs for pthreads and Boost.Fiber share. RUNTIME is the header of one of them; both have
 * runtime::task, mutex, condition, semaphore, yield() and run().
 */
#ifndef PEERS_THREADS_CREW_HPP
#define PEERS_THREADS_CREW_HPP

#include <deque>
#include <mutex>

#include "common/witness.hpp"
#include RUNTIME

using guard = std::unique_lock<runtime::mutex>;

/* Tasks that run one function, start together and are joined together, as in user/crew.h. Gives back the
 * nanoseconds from the start to the last join. */
template <class Member> uint64_t crew_run(uint64_t count, Member member)
{
	runtime::mutex gate;
	runtime::condition opens;
	bool is_open = false;
	std::deque<runtime::task> tasks; // tasks stay where they are
	for (uint64_t number = 0; number < count; number++)
		tasks.emplace_back([&, number] {
			{
				guard lock(gate);
				opens.wait(lock, [&] { return is_open; });
			}
			member(number);
		});
	uint64_t start = bench::clock();
	{
		guard lock(gate);
		is_open = true;
	}
	opens.notify_all();
	for (runtime::task &task : tasks)
		task.join();
	return bench::clock() - start;
}

#endif

/*
 * Threads of the C++ library, for the executor that has some: each is a virtual processor. A mutex and a condition
 * variable are words and waits of the model; a notification reaches the thread that has waited longest.
 */
#ifndef MODEL_THREADS_HPP
#define MODEL_THREADS_HPP

#include <atomic>
#include <mutex>
#include <new>

#include "explorer.h"

namespace model
{

/* The function of a thread, begun by run_thread() on the virtual processor of its number. */
class thread
{
	unsigned number_;

	static unsigned begin(void (*call)(void *), const void *function, unsigned long size);

  public:
	template <class Function>
	explicit thread(Function function)
	    : number_(begin([](void *own) { (*static_cast<Function *>(own))(); }, &function, sizeof function))
	{
	}

	static unsigned hardware_concurrency()
	{
		return 2;
	}

	void join();
};

void run_thread(unsigned number);

/* Room for what is local to the thread, zero at first. */
void *thread_place();

/* Goes on when the counter is 0. */
void await_zero(std::atomic<unsigned> &counter);

class mutex
{
	std::atomic<bool> taken_{false};

  public:
	void lock();
	void unlock();
};

class condition_variable
{
	unsigned char waiting_[EXPLORE_PROCESSORS] =
	    {}; /* processors + 1, the one first that has waited longest */
	bool is_woken_[EXPLORE_PROCESSORS] = {};

  public:
	void wait(std::unique_lock<mutex> &held);
	void notify_one();
	void notify_all();
};

} // namespace model

#endif

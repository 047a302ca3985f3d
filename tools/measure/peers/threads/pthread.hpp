/*
 * The runtime `pthread`: a task is a thread of the operating system, confined with all others to as many
 * processors as are asked for. std::mutex and std::condition_variable are those of pthreads.
 */
#ifndef PEERS_THREADS_PTHREAD_HPP
#define PEERS_THREADS_PTHREAD_HPP

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <utility>

#include "threads/confine.hpp"

namespace runtime
{

constexpr const char *name = "pthread";
constexpr std::size_t stack_size = 64 << 10; // glibc touches more than the least that it allows

using mutex = std::mutex;
using condition = std::condition_variable;

inline void yield()
{
	sched_yield();
}

class task
{
	pthread_t thread{};
	std::function<void()> function;

	static void *run(void *self)
	{
		static_cast<task *>(self)->function();
		return nullptr;
	}

  public:
	template <class Function> explicit task(Function start) : function(std::move(start))
	{
		pthread_attr_t attributes;
		pthread_attr_init(&attributes);
		pthread_attr_setstacksize(&attributes, stack_size);
		if (pthread_create(&thread, &attributes, run, this) != 0)
			bench::fail("pthread: no further thread can be made; is there a limit on threads or memory?");
		pthread_attr_destroy(&attributes);
	}

	task(const task &) = delete;
	task &operator=(const task &) = delete;

	void join()
	{
		pthread_join(thread, nullptr);
	}
};

class semaphore
{
	sem_t permits;

  public:
	explicit semaphore(unsigned count)
	{
		sem_init(&permits, 0, count);
	}

	~semaphore()
	{
		sem_destroy(&permits);
	}

	void acquire()
	{
		while (sem_wait(&permits) != 0) // a signal came
			;
	}

	void release()
	{
		sem_post(&permits);
	}
};

/* Run `main` with tasks on the first `processors` of those that this process may use. */
template <class Main> int run(uint64_t processors, Main main)
{
	confine(name, processors);
	return main();
}

} // namespace runtime

#endif

/*
 * The runtime `c11`: threads, mutexes and conditions by their names in C11 (<threads.h>), confined as pthreads are.
 */
#ifndef PEERS_THREADS_C11_HPP
#define PEERS_THREADS_C11_HPP

#include <threads.h>

#include <functional>
#include <utility>

#include "threads/confine.hpp"

namespace runtime
{

constexpr const char *name = "c11";

class mutex
{
	mtx_t word;

	friend class condition;

  public:
	mutex()
	{
		mtx_init(&word, mtx_plain);
	}

	~mutex()
	{
		mtx_destroy(&word);
	}

	void lock()
	{
		mtx_lock(&word);
	}

	void unlock()
	{
		mtx_unlock(&word);
	}
};

class condition
{
	cnd_t waiters;

  public:
	condition()
	{
		cnd_init(&waiters);
	}

	~condition()
	{
		cnd_destroy(&waiters);
	}

	template <class Lock, class Predicate> void wait(Lock &lock, Predicate predicate)
	{
		while (!predicate())
			cnd_wait(&waiters, &lock.mutex()->word);
	}

	void notify_all()
	{
		cnd_broadcast(&waiters);
	}
};

class task
{
	thrd_t thread{};
	std::function<void()> function;

	static int run(void *self)
	{
		static_cast<task *>(self)->function();
		return 0;
	}

  public:
	template <class Function> explicit task(Function start) : function(std::move(start))
	{
		if (thrd_create(&thread, run, this) != thrd_success)
			bench::fail("c11: no further thread can be made; is there a limit on threads or memory?");
	}

	task(const task &) = delete;
	task &operator=(const task &) = delete;

	void join()
	{
		thrd_join(thread, nullptr);
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

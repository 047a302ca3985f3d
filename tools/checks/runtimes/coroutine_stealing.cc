/*
 * heddle/thread_executor.hpp: a thread that looks for work while a thief has some in its hands finds none, and sleeps.
 * It is woken when the thief puts that into its queue. Compiled with -finstrument-functions and without inlining, so
 * that the thief can be made to stand still there until another has gone to sleep.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "coroutine_test.hpp"

namespace
{

constexpr std::size_t THREADS = 3;

/* free --the thief has two or more--> stands --the one that posts has stopped--> empties
 * --another sleeps--> moves. By the compiler's own operations: those of std::atomic are functions, for which
 * the hooks below would be called. */
enum state { STARTS, FREE, STANDS, EMPTIES, MOVES };
state is;
thread_local bool steals = false, goes_to_sleep = false;

[[gnu::no_instrument_function]] state now()
{
	return __atomic_load_n(&is, __ATOMIC_SEQ_CST);
}

/* Whether it was in the first state. */
[[gnu::no_instrument_function]] bool moved(state from, state to)
{
	return __atomic_compare_exchange_n(&is, &from, to, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

/* Whether that is the executor's function of which this is a part of the name. */
[[gnu::no_instrument_function]] bool is_member(void *function, const char *part)
{
	Dl_info found;
	return dladdr(function, &found) && found.dli_sname && strstr(found.dli_sname, "15thread_executor") &&
	       strstr(found.dli_sname, part);
}

} // namespace

extern "C" {

/* The thief, before it has its own queue's word. One that is about to sleep holds the mutex of all sleepers, so another
 * could not go to sleep. */
[[gnu::no_instrument_function]] void __cyg_profile_func_enter(void *function, void *)
{
	if (now() == STARTS)
		return;
	if (is_member(function, "9steal_for"))
		steals = true;
	if (is_member(function, "executor5sleep"))
		goes_to_sleep = true;
	if (!steals || goes_to_sleep || !is_member(function, "5queue3put") || !moved(FREE, STANDS))
		return;
	while (now() != MOVES)
		sched_yield();
}

[[gnu::no_instrument_function]] void __cyg_profile_func_exit(void *function, void *)
{
	if (now() == STARTS)
		return;
	if (is_member(function, "9steal_for"))
		steals = false;
	if (is_member(function, "executor5sleep"))
		goes_to_sleep = false;
}

/* A thread of the executor sleeps here: it has found nothing, and holds the mutex until it does. */
[[gnu::no_instrument_function]] int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
	static auto *next =
	    reinterpret_cast<int (*)(pthread_cond_t *, pthread_mutex_t *)>(dlsym(RTLD_NEXT, "pthread_cond_wait"));
	if (goes_to_sleep)
		moved(EMPTIES, MOVES);
	return next(condition, mutex);
}
}

namespace
{

/* Nothing, until the thief moves on; from then on each keeps its thread until all threads have one. */
co::task<> meets_others(std::atomic<std::size_t> &inside)
{
	if (now() != MOVES)
		co_return;
	for (inside++; inside < THREADS;)
		std::this_thread::yield();
}

/* Posts until two or more are stolen at once; then its thread takes none. */
co::task<> posts(co::executor executor, std::atomic<std::size_t> &inside)
{
	check(moved(STARTS, FREE), "it has begun before");
	while (now() == FREE) {
		for (std::size_t i = 0; i < THREADS; i++)
			co::spawn(executor, meets_others(inside));
		std::this_thread::yield();
	}
	check(moved(STANDS, EMPTIES), "the thief did not stand still");
	while (now() != MOVES)
		std::this_thread::yield();
	for (inside++; inside < THREADS;)
		std::this_thread::yield();
	co_return;
}

} // namespace

int main()
{
	std::atomic<std::size_t> inside{0};
	{
		co::thread_executor executor(THREADS);
		co::run(executor, posts(executor, inside));
	}
	check(inside >= THREADS && now() == MOVES, "no thread slept while another had work in its hands");
	return failures ? 1 : 0;
}

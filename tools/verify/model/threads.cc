#include "threads.hpp"

#include <cstring>
#include <utility>

namespace model
{

constexpr unsigned long ROOM = 16;

static struct {
	void (*call)(void *);
	alignas(16) unsigned char function[ROOM];
	bool has_ended;
} threads[EXPLORE_PROCESSORS];

static unsigned count;
alignas(16) static unsigned char places[EXPLORE_PROCESSORS][ROOM];

unsigned thread::begin(void (*call)(void *), const void *function, unsigned long size)
{
	if (count == EXPLORE_PROCESSORS || size > ROOM)
		explore_fail("too many threads, or one with too large a function");
	threads[count].call = call;
	std::memcpy(threads[count].function, function, size);
	return count++;
}

void run_thread(unsigned number)
{
	threads[number].call(threads[number].function);
	explore_drain();
	threads[number].has_ended = true;
}

AS_MEMORY_IS static bool is_true(void *flag)
{
	return *static_cast<const bool *>(flag);
}

void thread::join()
{
	explore_wait(is_true, &threads[number_].has_ended);
}

void *thread_place()
{
	return places[explore_processor()];
}

AS_MEMORY_IS static bool is_zero(void *counter)
{
	return *static_cast<const volatile unsigned *>(counter) == 0;
}

void await_zero(std::atomic<unsigned> &counter)
{
	explore_wait(is_zero, &counter);
}

AS_MEMORY_IS static bool is_false(void *flag)
{
	return !*static_cast<const volatile bool *>(flag);
}

void mutex::lock()
{
	while (taken_.exchange(true))
		explore_wait(is_false, &taken_);
}

void mutex::unlock()
{
	taken_.exchange(false);
}

void condition_variable::wait(std::unique_lock<mutex> &held)
{
	unsigned own = explore_processor(), place = 0;
	while (waiting_[place])
		place++;
	waiting_[place] = static_cast<unsigned char>(own + 1);
	held.unlock();
	explore_wait(is_true, &is_woken_[own]);
	is_woken_[own] = false;
	held.lock();
}

/* Others can come before, though it is called under the mutex mostly. */
void condition_variable::notify_one()
{
	explore_pause();
	if (!waiting_[0])
		return;
	is_woken_[waiting_[0] - 1] = true;
	for (unsigned i = 1; i < EXPLORE_PROCESSORS; i++)
		waiting_[i - 1] = waiting_[i];
	waiting_[EXPLORE_PROCESSORS - 1] = 0;
}

void condition_variable::notify_all()
{
	explore_pause();
	for (unsigned char &one : waiting_)
		if (one)
			is_woken_[std::exchange(one, static_cast<unsigned char>(0)) - 1] = true;
}

} // namespace model

/* Coroutines by exchange (coroutine.hpp): the lock of an object for some instructions. */
#ifndef HEDDLE_COROUTINE_WORD_HPP
#define HEDDLE_COROUTINE_WORD_HPP

#include <atomic>
#include <mutex>
#include <thread>

namespace heddle::coroutine
{

/* A test-and-set lock for some instructions. A thread that waits for it looks LOOKS times, then lets other
 * threads run. */
class word
{
	std::atomic<bool> taken_{false};
	static constexpr unsigned LOOKS = 100;

  public:
	void lock() noexcept
	{
		/* acquire: pairs with unlock(). */
		for (unsigned looks = 0; taken_.exchange(true, std::memory_order_acquire);)
			while (taken_.load(std::memory_order_relaxed))
				if (++looks % LOOKS == 0)
					std::this_thread::yield();
	}

	void unlock() noexcept
	{
		/* release: what was done meanwhile; pairs with lock(). */
		taken_.store(false, std::memory_order_release);
	}
};

using hold = std::lock_guard<word>;

} // namespace heddle::coroutine

#endif

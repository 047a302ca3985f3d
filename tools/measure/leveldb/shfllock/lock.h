/*
 * ShflLock for threads, the blocking one: a lock whose waiting threads reorder their own queue. Written after
 *
 *     S. Kashyap, I. Calciu, X. Cheng, C. Min, T. Kim: Scalable and Practical Locking with Shuffling. SOSP 2019,
 *     section 4: the mutex
 *
 * to be measured against. A word is the lock; whoever comes may take it, also past the queue. Who waits has a place in
 * an MCS queue, on its stack. Only the first of the queue tries for the word, and leaves the queue with the lock. One
 * thread that waits, the shuffler, moves those of its own socket up behind itself, wakes those of them that sleep, so
 * that they are awake before their turn, and makes the last of them the next shuffler:
 *
 *     status of a place: WAITING --it has looked often enough--> PARKED --shuffler: woken--> GROUPED
 *                        WAITING --shuffler--> GROUPED, which does not sleep
 *                        any of these --the first, which has got the lock--> FIRST
 *
 * Only the shuffler changes who is behind whom, behind its own place; the group from that place to its last one lies
 * together, so there is never a second one.
 *
 * What is different: the paper's threads ask the kernel whether others want their processor. A process cannot, so
 * these yield once they have looked often enough, also the first, which would otherwise keep a processor from a holder.
 */
#ifndef LEVELDB_SHFLLOCK_LOCK_H
#define LEVELDB_SHFLLOCK_LOCK_H

#include <atomic>
#include <cstdint>

class shuffling_mutex
{
  public:
	void lock()
	{
		if (!take())
			wait();
	}

	void unlock()
	{
		held_.store(false, std::memory_order_release); /* what the holder did, pairs with take() */
	}

  private:
	struct place;

	bool take()
	{
		return !held_.load(std::memory_order_relaxed) && !held_.exchange(true, std::memory_order_acquire);
	}

	void wait();
	void wait_until_first(place *own, place *before);
	void shuffle(place *shuffler, bool is_first);
	bool must_end(const place *shuffler, bool is_first) const;
	void leave_queue(place *own);

	std::atomic<bool> held_{false};
	std::atomic<place *> tail_{nullptr};
};

#endif

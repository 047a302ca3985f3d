/*
 * An executor of coroutines (coroutine.hpp) on threads of its own, with work stealing: a queue for each thread,
 * first in, first out. A thread whose queue is empty takes half of another's from its front, 32 at most, and
 * sleeps when it finds nothing.
 *
 *     heddle::coroutine::thread_executor executor(4);
 *     heddle::coroutine::run(executor, some_task());
 *
 * What a coroutine posts that runs here goes to its thread's queue, all else to the queues in turn. The
 * destructor returns when nothing is ready or runs; coroutines that wait by then are left to their owners.
 *
 * | operation | progress                                      | takes effect                    |
 * |-----------|-----------------------------------------------|---------------------------------|
 * | post      | holds a queue's word for some instructions;   | with the queue's word           |
 * |           | where a thread sleeps, its mutex to wake it   |                                 |
 *
 * No wake-up is lost. A thread that goes to sleep counts itself, then looks at all queues, holding the word of
 * each. A thread that posts puts work into a queue, holding its word, then looks at the count. The one that has
 * the queue's word second sees what the other did.
 *
 * It needs nothing but coroutine.hpp and the standard library.
 */
#ifndef HEDDLE_THREAD_EXECUTOR_HPP
#define HEDDLE_THREAD_EXECUTOR_HPP

#include <memory>

#include "heddle/coroutine.hpp"

namespace heddle::coroutine
{

class thread_executor
{
	/* Each on a cache line of its own. */
	class alignas(64) queue
	{
		word word_;
		work *first_ = nullptr, *last_ = nullptr;
		std::size_t count_ = 0;

		work *take_first() noexcept
		{
			work *one = first_;
			if (one) {
				first_ = one->next;
				count_--;
			}
			return one;
		}

		void put_last(work &one) noexcept
		{
			one.next = nullptr;
			(first_ ? last_->next : first_) = &one;
			last_ = &one;
			count_++;
		}

	  public:
		void put(work &one) noexcept
		{
			hold held(word_);
			put_last(one);
		}

		work *take() noexcept
		{
			hold held(word_);
			return take_first();
		}

		/* Half of them, LARGEST_PREY at most: the first is returned, the others go to the thief's queue. */
		work *steal_for(queue &thief) noexcept
		{
			work *prey[LARGEST_PREY];
			std::size_t count = 0;
			{
				hold held(word_);
				std::size_t half = (count_ + 1) / 2;
				while (count < half && count < LARGEST_PREY)
					prey[count++] = take_first();
			}
			for (std::size_t i = 1; i < count; i++)
				thief.put(*prey[i]);
			return count > 0 ? prey[0] : nullptr;
		}
	};

	static constexpr std::size_t LARGEST_PREY = 32;
	static constexpr unsigned LOOKS_BEFORE_SLEEP = 64;

	std::vector<std::unique_ptr<queue>> queues_;
	std::vector<std::thread> threads_;
	std::atomic<std::size_t> turn_{0};
	std::atomic<unsigned> sleeping_{0};
	std::mutex sleep_;
	std::condition_variable wake_;
	bool ends_ = false;

	/* Which executor's thread this is. Not inlined: the compiler would keep its address in a coroutine, which may go on
	 * on another thread. */
	struct place {
		const thread_executor *executor = nullptr;
		std::size_t number = 0;
	};

	[[gnu::noinline]] static place &here() noexcept
	{
		static thread_local place own;
		return own;
	}

	work *find(std::size_t number) noexcept
	{
		work *found = queues_[number]->take();
		for (std::size_t i = 1; !found && i < queues_.size(); i++)
			found = queues_[(number + i) % queues_.size()]->steal_for(*queues_[number]);
		return found;
	}

	/* Until there is work, or the executor ends. */
	work *sleep(std::size_t number)
	{
		std::unique_lock<std::mutex> held(sleep_);
		sleeping_.fetch_add(1, std::memory_order_relaxed);
		work *found;
		while (!(found = find(number)) && !ends_)
			wake_.wait(held);
		sleeping_.fetch_sub(1, std::memory_order_relaxed);
		return found;
	}

	work *next(std::size_t number)
	{
		for (unsigned looks = 0; looks < LOOKS_BEFORE_SLEEP; looks++) {
			if (work *found = find(number))
				return found;
			std::this_thread::yield();
		}
		return sleep(number);
	}

	void serve(std::size_t number)
	{
		here() = {this, number};
		while (work *one = next(number))
			one->run();
	}

  public:
	explicit thread_executor(std::size_t threads = std::thread::hardware_concurrency())
	{
		if (threads == 0)
			misuse("an executor without threads runs nothing");
		for (std::size_t i = 0; i < threads; i++)
			queues_.push_back(std::make_unique<queue>());
		for (std::size_t i = 0; i < threads; i++)
			threads_.emplace_back([this, i] { serve(i); });
	}

	thread_executor(const thread_executor &) = delete;
	thread_executor &operator=(const thread_executor &) = delete;

	~thread_executor()
	{
		{
			std::lock_guard<std::mutex> held(sleep_);
			ends_ = true;
		}
		wake_.notify_all();
		for (std::thread &one : threads_)
			one.join();
	}

	void post(work &one) noexcept
	{
		const place &own = here();
		std::size_t number =
		    own.executor == this ? own.number : turn_.fetch_add(1, std::memory_order_relaxed);
		queues_[number % queues_.size()]->put(one);
		/* relaxed: the queue's word orders it. */
		if (sleeping_.load(std::memory_order_relaxed) == 0)
			return;
		std::lock_guard<std::mutex> held(sleep_);
		wake_.notify_one();
	}

	std::size_t threads() const noexcept
	{
		return threads_.size();
	}
};

} // namespace heddle::coroutine

#endif

/*
 * An executor of coroutines (coroutine.hpp) on threads of its own, with work stealing: a queue for each thread,
 * first in, first out. A thread whose queue is empty takes half of another's from its front, 32 at most, and
 * sleeps when it finds nothing.
 *
 *     heddle::coroutine::thread_executor executor(4);
 *     heddle::coroutine::run(executor, some_task());
 *
 * What a coroutine posts that runs here goes to its thread's queue, all else to the queues in turn. The
 * destructor returns when nothing is ready or runs and no thread is still in post(); coroutines that wait by then
 * are left to their owners.
 *
 * A thread:
 *
 *     looks --it finds work--> runs it --> looks
 *     looks --64 times without work--> sleeps --it is woken--> looks once --> runs what it found, or sleeps
 *     sleeps, as all others do, and the executor ends --> ends
 *
 * | operation | progress                                      | takes effect                    |
 * |-----------|-----------------------------------------------|---------------------------------|
 * | post      | holds a queue's word for some instructions;   | with the queue's word           |
 * |           | where a thread sleeps, its mutex to wake it   |                                 |
 *
 * No wake-up is lost. A thread that goes to sleep counts itself, then looks at all queues, holding the word of
 * each. A thread that puts work into a queue, because it posts or because it stole more than it runs, holds the
 * queue's word, then looks at the count, and wakes a thread if one is counted. The one that has the queue's word
 * second sees what the other did: the sleeper finds the work, or is seen. A thief has what it stole in no queue for
 * some instructions; a sleeper that misses it there is counted before the thief puts it.
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

		/* Half of them, LARGEST_PREY at most: the first is returned, the others go to the thief's queue. `puts`:
		 * whether there are others. */
		work *steal_for(queue &thief, bool &puts) noexcept
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
			puts = count > 1;
			return count > 0 ? prey[0] : nullptr;
		}
	};

	static constexpr std::size_t LARGEST_PREY = 32;
	static constexpr unsigned LOOKS_BEFORE_SLEEP = 64;

	std::vector<std::unique_ptr<queue>> queues_;
	std::vector<std::thread> threads_;
	std::atomic<std::size_t> turn_{0};
	std::atomic<unsigned> posting_{0}; // threads of others in post()
	std::atomic<std::size_t> sleeping_{0};
	std::mutex sleep_;
	std::condition_variable wake_;
	bool ends_ = false, is_over_ = false;

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

	/* Work was put into a queue. */
	void wake() noexcept
	{
		/* relaxed: the queue's word orders it. */
		if (sleeping_.load(std::memory_order_relaxed) == 0)
			return;
		std::lock_guard<std::mutex> held(sleep_);
		wake_.notify_one();
	}

	/* `puts`: whether it has put work into its queue, for others. */
	work *find(std::size_t number, bool &puts) noexcept
	{
		puts = false;
		work *found = queues_[number]->take();
		for (std::size_t i = 1; !found && i < queues_.size(); i++)
			found = queues_[(number + i) % queues_.size()]->steal_for(*queues_[number], puts);
		return found;
	}

	/* The executor ends with the last that falls asleep: one that runs may still make work, and wait for others to do
	 * it. */
	bool is_over() noexcept
	{
		if (ends_ && sleeping_.load(std::memory_order_relaxed) == queues_.size() && !is_over_) {
			is_over_ = true;
			wake_.notify_all();
		}
		return is_over_;
	}

	/* Until there is work, or the executor ends. */
	work *sleep(std::size_t number)
	{
		std::unique_lock<std::mutex> held(sleep_);
		sleeping_.fetch_add(1, std::memory_order_relaxed);
		work *found;
		bool puts;
		while (!(found = find(number, puts)) && !is_over())
			wake_.wait(held);
		sleeping_.fetch_sub(1, std::memory_order_relaxed);
		if (puts)
			wake_.notify_one();
		return found;
	}

	work *next(std::size_t number)
	{
		for (unsigned looks = 0; looks < LOOKS_BEFORE_SLEEP; looks++) {
			bool puts;
			work *found = find(number, puts);
			if (puts)
				wake();
			if (found)
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
		/* acquire: pairs with post(). What was posted last may have run before post() has returned. */
		while (posting_.load(std::memory_order_acquire) > 0)
			std::this_thread::yield();
	}

	void post(work &one) noexcept
	{
		const place &own = here();
		if (own.executor == this) {
			queues_[own.number]->put(one);
			wake();
			return;
		}
		posting_.fetch_add(1, std::memory_order_relaxed);
		queues_[turn_.fetch_add(1, std::memory_order_relaxed) % queues_.size()]->put(one);
		wake();
		/* release: the last that this thread does here; pairs with the destructor. */
		posting_.fetch_sub(1, std::memory_order_release);
	}

	std::size_t threads() const noexcept
	{
		return threads_.size();
	}
};

} // namespace heddle::coroutine

#endif

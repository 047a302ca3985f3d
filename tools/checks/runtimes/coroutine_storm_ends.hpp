/*
 * The part of the storm in which coroutines are destroyed while they wait. A coroutine may be destroyed only where
 * nothing lets it go on meanwhile, so all of it is on one thread: it repeats exactly by its seed. After each step, when
 * nothing is ready, no coroutine may wait for what it could have.
 */
#ifndef CHECKS_RUNTIMES_COROUTINE_STORM_ENDS_HPP
#define CHECKS_RUNTIMES_COROUTINE_STORM_ENDS_HPP

#include <list>
#include <optional>
#include <random>

#include "coroutine_sole.hpp"

namespace
{

class ending_storm
{
	enum class at { nothing, mutex, shared, semaphore, condition, send, receive, event, barrier, held };

	/* A coroutine, and where it is. */
	struct one {
		at where = at::nothing;
		std::size_t wanted = 0;
		co::cancellation cancellation;
		co::event go; /* until then it keeps what it has got */
		std::optional<sole> coroutine;
	};

	static constexpr std::size_t MOST = 12, PERMITS = 4;

	by_hand executor_;
	std::minstd_rand random_;
	co::mutex mutex_, items_mutex_;
	co::shared_mutex shared_;
	co::semaphore permits_{PERMITS};
	co::condition condition_;
	co::channel<int> channel_{1};
	co::event event_;
	std::optional<co::barrier> barrier_{3};
	std::list<one> all_; /* in the order in which they came */
	std::size_t free_ = PERMITS, readers_ = 0, items_ = 0, in_mutex_ = 0, writers_ = 0;
	std::size_t put_ = 0, taken_ = 0, sent_ = 0, received_ = 0;

	unsigned below(unsigned limit)
	{
		return static_cast<unsigned>(random_()) % limit;
	}

	/* Counts up for as long as it lives, and gives back what it stands for. */
	template <class Back> struct having {
		std::size_t &count;
		Back back;

		having(std::size_t &of, Back by) : count(of), back(by)
		{
			count++;
		}

		~having()
		{
			count--;
			back();
		}
	};

	co::task<> keep(one &own)
	{
		own.where = at::held;
		co_await own.go.wait();
	}

	co::task<> use_mutex(one &own)
	{
		own.where = at::mutex;
		auto held = co_await co::cancellable(own.cancellation, mutex_.scoped());
		if (!held)
			co_return;
		having inside(in_mutex_, [] {});
		co_await keep(own);
	}

	co::task<> use_shared(one &own)
	{
		own.where = at::shared;
		own.wanted = below(2); // 0: writes
		if (!co_await co::cancellable(own.cancellation, own.wanted ? shared_.lock_shared() : shared_.lock()))
			co_return;
		having inside(own.wanted ? readers_ : writers_, [this, reads = own.wanted] {
			reads ? shared_.unlock_shared_dispatch() : shared_.unlock_dispatch();
		});
		co_await keep(own);
	}

	co::task<> use_permits(one &own)
	{
		own.where = at::semaphore;
		own.wanted = 1 + below(PERMITS);
		if (!co_await co::cancellable(own.cancellation, permits_.acquire(own.wanted)))
			co_return;
		free_ -= own.wanted;
		std::size_t owners = 0;
		having inside(owners, [this, amount = own.wanted] {
			free_ += amount;
			permits_.release_dispatch(amount);
		});
		co_await keep(own);
	}

	co::task<> use_condition(one &own)
	{
		auto held = co_await items_mutex_.scoped();
		own.where = at::condition;
		while (items_ == 0)
			if (!co_await co::cancellable(own.cancellation, condition_.wait(items_mutex_)))
				co_return;
		check(static_cast<bool>(held), "a wait returned without its mutex");
		items_--;
		taken_++;
	}

	co::task<> use_channel(one &own)
	{
		own.where = below(2) ? at::send : at::receive;
		if (own.where == at::send)
			sent_ += co_await co::cancellable(own.cancellation, channel_.send(1));
		else
			received_ += (co_await co::cancellable(own.cancellation, channel_.receive())).has_value();
	}

	co::task<> use_event(one &own)
	{
		own.where = at::event;
		co_await co::cancellable(own.cancellation, event_.wait());
	}

	co::task<> use_barrier(one &own)
	{
		own.where = at::barrier;
		co_await co::cancellable(own.cancellation, barrier_->arrive_and_wait());
	}

	/* A task in a task, so that the end of one is that of both. */
	co::task<> use(one &own)
	{
		switch (below(7)) {
		case 0:
			co_await use_mutex(own);
			break;
		case 1:
			co_await use_shared(own);
			break;
		case 2:
			co_await use_permits(own);
			break;
		case 3:
			co_await use_condition(own);
			break;
		case 4:
			co_await use_channel(own);
			break;
		case 5:
			co_await use_event(own);
			break;
		default:
			co_await use_barrier(own);
		}
		own.where = at::nothing;
	}

	std::list<one>::iterator chosen()
	{
		auto found = all_.begin();
		for (unsigned i = below(static_cast<unsigned>(all_.size())); i > 0; i--)
			++found;
		return found;
	}

	void begin()
	{
		one &made = all_.emplace_back();
		made.coroutine = started(executor_, use(made));
	}

	void destroy(std::list<one>::iterator which)
	{
		which->coroutine->coroutine.destroy();
		all_.erase(which);
	}

	/* An item comes, its waiter is notified, and any coroutine may go before the mutex is free. */
	void put_item()
	{
		check(items_mutex_.try_lock(), "a mutex is locked that none holds");
		items_++;
		put_++;
		condition_.notify_one_dispatch();
		if (below(2) && !all_.empty())
			destroy(chosen());
		items_mutex_.unlock_dispatch();
	}

	void act()
	{
		unsigned what = below(12);
		if (all_.size() < MOST && what < 5)
			begin();
		else if (what == 10)
			put_item();
		else if (what == 11)
			event_.set_dispatch(), event_.reset();
		else if (!all_.empty() && what < 7)
			chosen()->go.set_dispatch();
		else if (!all_.empty() && what < 8)
			chosen()->cancellation.request();
		else if (!all_.empty())
			destroy(chosen());
	}

	/* The first of them that waits there. */
	const one *first(at where) const
	{
		for (const one &each : all_)
			if (each.where == where)
				return &each;
		return nullptr;
	}

	void none_waits_for_what_it_could_have()
	{
		check(in_mutex_ + writers_ <= 2 && in_mutex_ <= 1 && writers_ <= 1 && !(writers_ && readers_),
		      "two are inside");
		check(!first(at::mutex) || in_mutex_, "one waits for a free mutex");
		const one *next = first(at::shared);
		check(!next || writers_ || (!next->wanted && readers_),
		      "one waits for a shared mutex that it could have");
		next = first(at::semaphore);
		check(!next || next->wanted > free_, "one waits for permits that are there");
		check(!first(at::condition) || items_ == 0, "one waits for an item that is there");
		check(!first(at::send) || !first(at::receive), "a sender waits, and a receiver");
		check(put_ == taken_ + items_, "an item was lost");
	}

  public:
	explicit ending_storm(uint64_t seed) : random_(static_cast<unsigned>(seed + 1))
	{
	}

	/* Ends all, in any order; then everything is free. */
	~ending_storm()
	{
		while (!all_.empty()) {
			destroy(chosen());
			executor_.run_all();
		}
		check(mutex_.try_lock() && shared_.try_lock() && permits_.try_acquire(PERMITS), "something was kept");
		mutex_.unlock_dispatch();
		shared_.unlock_dispatch();
	}

	void step()
	{
		act();
		executor_.run_all();
		all_.remove_if([](one &each) {
			if (each.where != at::nothing)
				return false;
			each.coroutine->coroutine.destroy();
			return true;
		});
		none_waits_for_what_it_could_have();
	}
};

/* The number of steps. */
uint64_t ends_at_random(uint64_t seed)
{
	constexpr unsigned STEPS = 1000;
	ending_storm own(seed);
	unsigned failed = failures;
	for (unsigned i = 0; i < STEPS && failures == failed; i++)
		own.step();
	return STEPS;
}

} // namespace

#endif

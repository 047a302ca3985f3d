/*
 * Coroutines by exchange (coroutine.hpp): what coroutines wait at, and its steps, awaited.
 *
 *     made --await_ready(): its step can be done--> done
 *          --else, await_suspend(): the step again--> done
 *                                                 --> waits --another's step lets it go on--> done
 *                                                           --cancel()--> cancelled
 *                                                           --its coroutine is destroyed--> gone
 *          --cancel() before await_suspend() looks--> cancelled
 *
 * One that is cancelled or gone while it waits withdraws: those behind it try again.
 */
#ifndef HEDDLE_COROUTINE_OPERATION_HPP
#define HEDDLE_COROUTINE_OPERATION_HPP

#include <coroutine>
#include <utility>

#include "heddle/coroutine/hand_over.hpp"
#include "heddle/coroutine/word.hpp"

namespace heddle::coroutine
{

/* What coroutines wait at. A step is a member function of an object, called while its word is held. Where it can
 * be done, it is done, the waiters that may go on by it are put into `going`, and nullptr is returned. Where it
 * cannot, the line to wait in is returned. It may be called twice before its coroutine waits.
 *
 * An object where one in line can keep back those behind it has an advance() of its own: it lets all go on, from the
 * front, that can now. Its steps call it, and whatever withdraws. */
class object
{
	template <class, auto, class> friend class operation;

  public:
	object(const object &) = delete;
	object &operator=(const object &) = delete;

  protected:
	word word_;
	line waiting_;

	object() = default;

	~object()
	{
		if (!waiting_.is_empty())
			misuse("an object is destroyed while a coroutine waits for it");
	}

	void advance(line &) noexcept
	{
	}

	/* One leaves the line that it waits in, and those behind it try again. The object's word is held. */
	template <class Own> static void withdraw(Own &own, waiter &one, line &going) noexcept
	{
		one.in->remove(one);
		own.advance(going);
	}

	/* Does a step from anywhere, and posts what may go on. Whether it could be done. */
	template <class Own>
	static bool dispatch(Own &own, line *(Own::*step)(waiter &, line &) noexcept,
	                     std::size_t amount = 0) noexcept
	{
		waiter caller(amount);
		line going;
		bool is_done;
		{
			hold held(own.word_);
			is_done = !(own.*step)(caller, going);
		}
		going.post_all();
		return is_done;
	}
};

/* A step of an object, awaited. */
template <class Object, auto Step, class HandOver = by_exchange> class [[nodiscard]] operation : public waiter
{
	Object &object_;
	line going_;
	bool is_done_ = false;

  public:
	explicit operation(Object &at, std::size_t wanted = 0) noexcept : waiter(wanted), object_(at)
	{
	}

	/* Before it is awaited, when there is nothing else to take over. */
	operation(operation &&other) noexcept : waiter(other.amount), object_(other.object_)
	{
	}

	operation &operator=(operation &&) = delete;

	/* Its coroutine is destroyed. */
	~operation()
	{
		if (is != state::waits)
			return;
		line going;
		{
			hold held(object_.word_);
			object::withdraw(object_, *this, going);
		}
		going.post_all();
	}

	bool await_ready() noexcept
	{
		if (is != state::comes || is_done_)
			misuse("an operation is awaited twice");
		hold held(object_.word_);
		is_done_ = !(object_.*Step)(*this, going_);
		return is_done_ && going_.is_empty();
	}

	/* Not inlined: another thread may run the coroutine before this returns, and the locals of what is inlined may be
	 * kept in the coroutine's frame. */
	template <runs_on_executor Promise>
	[[gnu::noinline]] bool await_suspend(std::coroutine_handle<Promise> handle) noexcept
	{
		work &self = handle.promise();
		turn &here = self.here();
		if (!is_done_ && is_waiting(self))
			return true;
		work &next = HandOver::hand_over(self, std::exchange(going_, line()));
		if (&next == &self)
			return false;
		here.resume_next(next);
		return true;
	}

	void await_resume() const noexcept
	{
	}

	/* By cancellable(). */
	void cancel(line &going) noexcept
	{
		hold held(object_.word_);
		if (is == state::goes || is_done_)
			return;
		if (is == state::waits) {
			object::withdraw(object_, *this, going);
			going.let_go(*this);
		}
		is = state::cancelled;
	}

	bool is_cancelled() const noexcept
	{
		return is == state::cancelled;
	}

  private:
	bool is_waiting(work &self) noexcept
	{
		hold held(object_.word_);
		if (is == state::cancelled)
			return false;
		coroutine = &self;
		line *place = (object_.*Step)(*this, going_);
		is_done_ = !place;
		if (place)
			place->put(*this);
		return place;
	}
};

} // namespace heddle::coroutine

#endif

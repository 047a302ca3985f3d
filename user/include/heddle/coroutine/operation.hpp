/* Coroutines by exchange (coroutine.hpp): what coroutines wait at, and its steps, awaited. */
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
 * cannot, the line to wait in is returned. It may be called twice before its coroutine waits. */
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
		hold held(object_.word_);
		in->remove(*this);
	}

	bool await_ready() noexcept
	{
		hold held(object_.word_);
		is_done_ = !(object_.*Step)(*this, going_);
		return is_done_ && going_.is_empty();
	}

	/* Not inlined: another thread may run the coroutine before this returns, and the locals of what is inlined may be
	 * kept in the coroutine's frame. */
	template <runs_on_executor Promise>
	[[gnu::noinline]] std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> handle) noexcept
	{
		work &self = handle.promise();
		if (!is_done_ && is_waiting(self))
			return std::noop_coroutine();
		return HandOver::hand_over(self, std::exchange(going_, line()));
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
			in->remove(*this);
			going.let_go(*this);
		}
		is = state::cancelled;
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

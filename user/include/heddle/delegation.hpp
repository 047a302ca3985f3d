/*
 * What the C++ delegation locks (qd.hpp) share: sections are functions, function objects or lambdas with arguments,
 * and become messages.
 *
 * The section and its arguments are copied or moved into the message, as std::thread does it; the section gets these
 * copies, moved out of the message. If all of them are trivially copyable, the message is copied as bytes; else it is
 * constructed in its place in the queue, and destroyed there after the section. If making it may throw, it is made
 * before, and moved there. If a section cannot be a message, a static assertion says why. What a section throws goes to
 * the task that waits for it (heddle/exceptions.hpp).
 */
#ifndef HEDDLE_DELEGATION_HPP
#define HEDDLE_DELEGATION_HPP

#include "heddle/future.hpp"
#include "heddle/mrqd_lock.h"

namespace heddle
{

/* A function that is known at compile time: it takes no room in a message. */
template <auto Function> struct constant_function {
	template <class... Arguments> decltype(auto) operator()(Arguments &&...arguments) const
	{
		return Function(meta::forward<Arguments>(arguments)...);
	}
};

/* A section with its arguments, as it lies in the queue. */
template <class Section, class... Arguments> class message
{
  public:
	template <class S, class... A>
	explicit message(S &&section, A &&...arguments) noexcept(
	    std::is_nothrow_constructible_v<Section, S>
	        &&std::is_nothrow_constructible_v<meta::values<Arguments...>, A...>)
	    : section_(meta::forward<S>(section)), arguments_(meta::forward<A>(arguments)...)
	{
	}

	/* The section of the C interface. */
	static void run(size_t, void *place)
	{
		message *self = std::launder(static_cast<message *>(place));
		detail::must_return(
		    "a section of delegate_n() has thrown, and no task waits for it: catch it there, or use "
		    "delegate_f() or delegate_wait()",
		    [&] {
			    self->arguments_.give_to(self->section_);
			    self->~message();
		    });
	}

  private:
	[[no_unique_address]] Section section_;
	[[no_unique_address]] meta::values<Arguments...> arguments_;
};

template <class Section, class... Arguments>
using message_for = message<std::decay_t<Section>, std::decay_t<Arguments>...>;

/* A section that sets the future of its result. */
template <class Result, class Section> struct fulfilling {
	promise<Result> result;
	[[no_unique_address]] Section section;

	template <class S>
	fulfilling(promise<Result> &&r, S &&s) noexcept(std::is_nothrow_constructible_v<Section, S>)
	    : result(meta::move(r)), section(meta::forward<S>(s))
	{
	}

	template <class... Arguments> void operator()(Arguments &&...arguments)
	{
		detail::thrown thrown;
		thrown.caught_in([&] {
			result.set_by([&]() -> Result { return section(meta::forward<Arguments>(arguments)...); });
		});
		if (thrown)
			result.set_thrown(thrown);
	}
};

/* A lock with a queue of `Slots` slots in it. */
template <class Lock, size_t Slots> class delegation_lock
{
	static_assert(Slots > 0 && (Slots & (Slots - 1)) == 0 && Slots <= HEDDLE_QD_SLOTS_MAXIMUM,
	              "a delegation queue has a power of two of slots, 65536 at most");

  public:
	delegation_lock(const delegation_lock &) = delete;
	delegation_lock &operator=(const delegation_lock &) = delete;

	/* Run section(arguments...) under the lock, here or later in another task: qd_delegate(), with its errors. */
	template <class Section, class... Arguments>
	HEDDLE_MAY_WAKE heddle_error delegate_n(Section &&section, Arguments &&...arguments)
	{
		check<Section, Arguments...>();
		return send<message_for<Section, Arguments...>>(meta::forward<Section>(section),
		                                                meta::forward<Arguments>(arguments)...);
	}

	/* The same with a function known at compile time, which is not part of the message: lock.delegate_n<&function>(a,
	 * b). */
	template <auto Function, class... Arguments>
	HEDDLE_MAY_WAKE heddle_error delegate_n(Arguments &&...arguments)
	{
		return delegate_n(constant_function<Function>(), meta::forward<Arguments>(arguments)...);
	}

	/* The same, with a future of the section's result. If nothing was delegated, the future is false, and its wait()
	 * returns the reason. A section that ends by a fault never sets its future. */
	template <class Section, class... Arguments>
	HEDDLE_MAY_WAKE auto delegate_f(Section &&section, Arguments &&...arguments)
	{
		check<Section, Arguments...>();
		using result = std::invoke_result_t<std::decay_t<Section> &, std::decay_t<Arguments>...>;
		using section_type = fulfilling<result, std::decay_t<Section>>;
		promise<result> end;
		if (!end)
			return future<result>(HEDDLE_NO_MEMORY);
		future<result> value = end.get_future();
		heddle_error error = send<message<section_type, std::decay_t<Arguments>...>>(
		    section_type(meta::move(end), meta::forward<Section>(section)),
		    meta::forward<Arguments>(arguments)...);
		return error == HEDDLE_OK ? meta::move(value) : future<result>(error);
	}

	template <auto Function, class... Arguments> HEDDLE_MAY_WAKE auto delegate_f(Arguments &&...arguments)
	{
		return delegate_f(constant_function<Function>(), meta::forward<Arguments>(arguments)...);
	}

	/* Run section() under the lock, and return when it has run: qd_delegate_wait(). It is not copied, so it may hold
	 * references to local variables. If it throws, so does this. */
	template <class Section> HEDDLE_MAY_SWITCH heddle_error delegate_wait(Section &&section)
	{
		static_assert(std::is_invocable_v<Section &>, "delegate_wait() takes a section without parameters: "
		                                              "a lambda that has references to what it needs");
		struct awaited {
			std::remove_reference_t<Section> *section;
			detail::thrown thrown;
		} message = {&section, {}};
		heddle_error error = qd_delegate_wait(
		    queue(),
		    [](size_t, void *place) {
			    awaited *self = static_cast<awaited *>(place);
			    self->thrown.caught_in(*self->section);
		    },
		    sizeof(message), &message);
		message.thrown.rethrow();
		return error;
	}

	/* Hold the lock, as qd_lock(). Others delegate meanwhile; unlock() runs their sections. */
	HEDDLE_MAY_SWITCH heddle_error lock()
	{
		return qd_lock(queue());
	}

	HEDDLE_MAY_SWITCH heddle_error lock_until(uint64_t deadline)
	{
		return qd_lock_until(queue(), deadline);
	}

	heddle_error try_lock()
	{
		return qd_try_lock(queue());
	}

	HEDDLE_MAY_WAKE heddle_error unlock()
	{
		return qd_unlock(queue());
	}

	/* The lock of the C interface, for guards, counters and destruction. */
	Lock &native()
	{
		return lock_;
	}

  protected:
	constexpr explicit delegation_lock(uint32_t limit) : lock_()
	{
		struct qd_lock *lock = queue();
		lock->mutex.owner_ends = qd_owner_ends;
		lock->slots = slots_;
		lock->count = Slots;
		lock->limit = limit;
		lock->kind = std::is_same_v<Lock, struct mrqd_lock> ? HEDDLE_QD_READERS : HEDDLE_QD_PLAIN;
	}

	struct qd_slot slots_[Slots] = {};
	Lock lock_;

  private:
	constexpr struct qd_lock *queue()
	{
		if constexpr (std::is_same_v<Lock, struct mrqd_lock>)
			return &lock_.lock;
		else
			return &lock_;
	}

	template <class Section, class... Arguments> static constexpr void check()
	{
		using section_type = std::decay_t<Section>;
		static_assert(std::is_constructible_v<section_type, Section>,
		              "the section is copied into the message: it must be copyable, or be moved here");
		static_assert((std::is_constructible_v<std::decay_t<Arguments>, Arguments> && ...),
		              "arguments are copied into the message: they must be copyable, or be moved here");
		static_assert(!std::is_member_pointer_v<section_type>,
		              "a pointer to a member is no section: use a lambda");
		static_assert(
		    std::is_invocable_v<section_type &, std::decay_t<Arguments>...>,
		    "the section cannot be called with copies of these arguments: it gets them moved out of "
		    "the message, so a parameter that is a reference must be const or an rvalue reference; "
		    "to share a thing, hand over a pointer to it");
	}

	/* Construct the message and send it. */
	template <class Message, class... Parts> HEDDLE_MAY_WAKE heddle_error send(Parts &&...parts)
	{
		static_assert(alignof(Message) <= 8, "a message is aligned to 8 bytes: no argument may need more");
		static_assert(sizeof(Message) <= HEDDLE_QD_MESSAGE_MAXIMUM(Slots),
		              "the message can never fit into this lock's queue: give the lock more slots, or hand "
		              "over a pointer");
		if constexpr (std::is_trivially_copyable_v<Message>) {
			Message copy(meta::forward<Parts>(parts)...);
			return qd_delegate(queue(), Message::run, sizeof(copy), &copy);
		} else if constexpr (detail::may_throw<Message, Parts...>) {
			Message whole(meta::forward<Parts>(parts)...);
			return send_made<Message>([&](void *place) { return detail::move_to(place, whole); });
		} else {
			return send_made<Message>(
			    [&](void *place) { return new (place) Message(meta::forward<Parts>(parts)...); });
		}
	}

	/* `make` makes the message at a place, and does not throw: a buffer is open there, or the lock held. */
	template <class Message, class Make> HEDDLE_MAY_WAKE heddle_error send_made(Make &&make)
	{
		void *buffer;
		heddle_error error = qd_delegate_or_lock(queue(), sizeof(Message), &buffer);
		if (error != HEDDLE_OK)
			return error;
		if (!buffer)
			return run_here<Message>(make);
		make(buffer);
		return qd_close_buffer(queue(), buffer, Message::run);
	}

	/* The caller holds the lock. */
	template <class Message, class Make> HEDDLE_MAY_WAKE heddle_error run_here(Make &make)
	{
		alignas(Message) unsigned char place[sizeof(Message)];
		uncooperative_begin();
		Message::run(sizeof(Message), make(place));
		uncooperative_end();
		return qd_delegate_unlock(queue());
	}
};

} // namespace heddle

#endif

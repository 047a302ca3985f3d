/*
 * Coroutines by exchange (coroutine.hpp): the channel. Receivers wait only while it is empty and no sender waits,
 * senders only while it is full and no receiver waits. So whatever leaves either line has kept none back.
 *
 *     open, n messages --send: to a receiver that waits, or into the ring--> open, n or n + 1 messages
 *     open, n messages --receive: the first, and a waiting sender's comes in--> open, n - 1 or n messages
 *     open --close(): all that wait go on--> closed --receive--> closed, one message less, or nothing
 */
#ifndef HEDDLE_COROUTINE_CHANNEL_HPP
#define HEDDLE_COROUTINE_CHANNEL_HPP

#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "heddle/coroutine/operation.hpp"

namespace heddle::coroutine
{

/* A bounded queue of messages; without room, a message goes from sender to receiver. A receiver that waits runs
 * with its message in the place of the sender. A sender that waits for room is posted when its message has it. */
template <class T> class channel : public object
{
	static_assert(std::is_nothrow_move_constructible_v<T> && std::is_nothrow_move_assignable_v<T>,
	              "a message is moved under the channel's word: that must not throw");

	std::vector<std::optional<T>> ring_;
	std::size_t first_ = 0, count_ = 0;
	bool is_closed_ = false;
	line senders_; // those in waiting_ wait for messages

	line *put(waiter &one, line &going) noexcept
	{
		auto &own = static_cast<send_operation &>(one);
		if (is_closed_)
			return nullptr;
		own.is_sent = place(own.message, going);
		return own.is_sent ? nullptr : &senders_;
	}

	line *get(waiter &one, line &going) noexcept
	{
		auto &own = static_cast<receive_operation &>(one);
		fetch(own.message, going);
		return own.message || is_closed_ ? nullptr : &waiting_;
	}

	line *end(waiter &, line &going) noexcept
	{
		is_closed_ = true;
		going.let_all_go(waiting_);
		going.let_all_go(senders_);
		return nullptr;
	}

	class send_operation : public operation<channel, &channel::put>
	{
	  public:
		std::optional<T> message;
		bool is_sent = false;

		send_operation(channel &at, T &&sent) noexcept
		    : operation<channel, &channel::put>(at), message(std::move(sent))
		{
		}

		/* False: it is closed. */
		bool await_resume() const noexcept
		{
			return is_sent;
		}
	};

	class receive_operation : public operation<channel, &channel::get, by_dispatch>
	{
	  public:
		std::optional<T> message;

		explicit receive_operation(channel &at) noexcept : operation<channel, &channel::get, by_dispatch>(at)
		{
		}

		/* Empty: it is closed, and nothing is left in it. */
		std::optional<T> await_resume() noexcept
		{
			return std::move(message);
		}
	};

	static void hand(std::optional<T> &from, std::optional<T> &to) noexcept
	{
		to.emplace(std::move(*from));
		from.reset();
	}

	std::optional<T> &slot(std::size_t number) noexcept
	{
		return ring_[(first_ + number) % ring_.size()];
	}

	/* Whether the message was taken. */
	bool place(std::optional<T> &message, line &going) noexcept
	{
		if (waiter *one = waiting_.take()) {
			hand(message, static_cast<receive_operation &>(*one).message);
			going.let_go(*one);
			return true;
		}
		if (count_ == ring_.size())
			return false;
		hand(message, slot(count_++));
		return true;
	}

	void fetch(std::optional<T> &message, line &going) noexcept
	{
		if (count_ > 0) {
			hand(slot(0), message);
			first_ = (first_ + 1) % ring_.size();
			count_--;
		}
		waiter *one = senders_.take();
		if (!one)
			return;
		auto &sender = static_cast<send_operation &>(*one);
		hand(sender.message, ring_.empty() ? message : slot(count_++));
		sender.is_sent = true;
		going.let_go(*one);
	}

  public:
	explicit channel(std::size_t room) : ring_(room)
	{
	}

	~channel()
	{
		if (!senders_.is_empty())
			misuse("a channel is destroyed while a coroutine waits for it");
	}

	/* bool is_sent = co_await channel.send(message); not: it was closed. */
	auto send(T message) noexcept
	{
		return send_operation(*this, std::move(message));
	}

	/* while (auto message = co_await channel.receive()) ... until it is closed and empty. */
	auto receive() noexcept
	{
		return receive_operation(*this);
	}

	/* Without waiting; a message that is not sent is left as it was. */
	bool try_send(T &message) noexcept
	{
		std::optional<T> sent(std::move(message));
		line going;
		bool is_sent;
		{
			hold held(word_);
			is_sent = !is_closed_ && place(sent, going);
		}
		going.post_all();
		if (!is_sent)
			message = std::move(*sent);
		return is_sent;
	}

	std::optional<T> try_receive() noexcept
	{
		std::optional<T> message;
		line going;
		{
			hold held(word_);
			fetch(message, going);
		}
		going.post_all();
		return message;
	}

	/* Nothing more can be sent; what is in it can be received. */
	auto close() noexcept
	{
		return operation<channel, &channel::end>(*this);
	}

	void close_dispatch() noexcept
	{
		object::dispatch(*this, &channel::end);
	}
};

} // namespace heddle::coroutine

#endif

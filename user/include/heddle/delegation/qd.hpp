/*
 * The same locks in C++11 (delegation paper, section 4): qdlock and mrqdlock. Sections are functions, function
 * objects or lambdas, with arguments, which are copied or moved into the lock's queue.
 *
 *     mrqdlock lock;
 *     lock.delegate_n([](int *a, int b) { *a = *a * b; }, &value, 7);        returns at once
 *     lock.DELEGATE_N(&multiply, &value, 7);                                 the same, without a stored pointer
 *     std::future<int> f = lock.delegate_f([](int *a) { return *a; }, &value);
 *
 * A section that throws: with delegate_f() its future has the exception, with delegate_n() the program ends
 * (std::terminate()), since no caller is left to catch it. C++17 programs may prefer heddle/qd.hpp, for tasks.
 */
#ifndef HEDDLE_DELEGATION_QD_HPP
#define HEDDLE_DELEGATION_QD_HPP

#include <cstddef>
#include <exception>
#include <future>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

#include "locks/locks.h"

namespace heddle_ll_message
{

template <std::size_t... Numbers> struct numbers {
};
template <std::size_t Count, std::size_t... Numbers>
struct first_numbers : first_numbers<Count - 1, Count - 1, Numbers...> {
};
template <std::size_t... Numbers> struct first_numbers<0, Numbers...> {
	using type = numbers<Numbers...>;
};

/* A function that is known at compile time: it takes no room in a message. */
template <class Function, Function function> struct constant {
	template <class... Arguments>
	auto operator()(Arguments &&...arguments) const
	    -> decltype(function(std::forward<Arguments>(arguments)...))
	{
		return function(std::forward<Arguments>(arguments)...);
	}
};

/* A section with its arguments, as it lies in the queue. */
template <class Section, class... Arguments> class message
{
  public:
	template <class S, class... A>
	explicit message(S &&section, A &&...arguments)
	    : section_(std::forward<S>(section)), arguments_(std::forward<A>(arguments)...)
	{
	}

	static void run(unsigned, void *place) noexcept
	{
		message *self = static_cast<message *>(place);
		self->call();
		self->~message();
	}

	void call() noexcept
	{
		call_with(typename first_numbers<sizeof...(Arguments)>::type());
	}

  private:
	template <std::size_t... Numbers> void call_with(numbers<Numbers...>)
	{
		section_(std::move(std::get<Numbers>(arguments_))...);
	}

	Section section_;
	std::tuple<Arguments...> arguments_;
};

/* A section that keeps a promise of its result. */
template <class Result, class Section> struct fulfilling {
	std::promise<Result> result;
	Section section;

	template <class... Arguments> void operator()(Arguments &&...arguments)
	{
		try {
			set(result, std::forward<Arguments>(arguments)...);
		} catch (...) {
			result.set_exception(std::current_exception());
		}
	}

  private:
	template <class R, class... Arguments> void set(std::promise<R> &to, Arguments &&...arguments)
	{
		to.set_value(section(std::forward<Arguments>(arguments)...));
	}

	template <class... Arguments> void set(std::promise<void> &to, Arguments &&...arguments)
	{
		section(std::forward<Arguments>(arguments)...);
		to.set_value();
	}
};

} // namespace heddle_ll_message

template <class Lock> class heddle_ll_lock_of
{
  public:
	heddle_ll_lock_of()
	{
		LL_initialize(&lock_);
	}

	~heddle_ll_lock_of()
	{
		LL_destroy(&lock_);
	}

	heddle_ll_lock_of(const heddle_ll_lock_of &) = delete;
	heddle_ll_lock_of &operator=(const heddle_ll_lock_of &) = delete;

	void lock()
	{
		LL_lock(&lock_);
	}

	bool try_lock()
	{
		return LL_try_lock(&lock_);
	}

	void unlock()
	{
		LL_unlock(&lock_);
	}

	void rlock()
	{
		LL_rlock(&lock_);
	}

	void runlock()
	{
		LL_runlock(&lock_);
	}

	/* Run section(arguments...) under the lock, in this thread now or in the helper's later. */
	template <class Section, class... Arguments> void delegate_n(Section &&section, Arguments &&...arguments)
	{
		using type = heddle_ll_message::message<typename std::decay<Section>::type,
		                                        typename std::decay<Arguments>::type...>;
		static_assert(alignof(type) <= 8, "a message is aligned to 8 bytes: no argument may need more");
		static_assert(std::is_nothrow_move_constructible<type>::value,
		              "a message is moved into the queue, where nothing must throw");
		type whole(std::forward<Section>(section), std::forward<Arguments>(arguments)...);
		void *buffer = LL_delegate_or_lock(&lock_, sizeof(type));
		if (buffer) {
			new (buffer) type(std::move(whole));
			LL_close_delegate_buffer(&lock_, buffer, type::run);
		} else {
			whole.call();
			LL_delegate_unlock(&lock_);
		}
	}

	template <class Function, Function function, class... Arguments> void delegate_n(Arguments &&...arguments)
	{
		delegate_n(heddle_ll_message::constant<Function, function>(), std::forward<Arguments>(arguments)...);
	}

	/* The same, with a future of its result. */
	template <class Section, class... Arguments>
	auto delegate_f(Section &&section, Arguments &&...arguments) -> std::future<typename std::result_of<
	    typename std::decay<Section>::type &(typename std::decay<Arguments>::type...)>::type>
	{
		using result = typename std::result_of<typename std::decay<Section>::type &(
		    typename std::decay<Arguments>::type...)>::type;
		using type = heddle_ll_message::fulfilling<result, typename std::decay<Section>::type>;
		std::promise<result> end;
		std::future<result> future = end.get_future();
		delegate_n(type{std::move(end), std::forward<Section>(section)},
		           std::forward<Arguments>(arguments)...);
		return future;
	}

	template <class Function, Function function, class... Arguments>
	auto delegate_f(Arguments &&...arguments)
	    -> std::future<decltype(function(std::forward<Arguments>(arguments)...))>
	{
		return delegate_f(heddle_ll_message::constant<Function, function>(),
		                  std::forward<Arguments>(arguments)...);
	}

  private:
	Lock lock_;
};

using qdlock = heddle_ll_lock_of<QDLock>;
using mrqdlock = heddle_ll_lock_of<MRQDLock>;

/* A function known at compile time, with its type. */
#define DELEGATE_N(function, ...) delegate_n<decltype(function), function>(__VA_ARGS__)
#define DELEGATE_F(function, ...) delegate_f<decltype(function), function>(__VA_ARGS__)

#endif

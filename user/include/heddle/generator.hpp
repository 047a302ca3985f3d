/*
 * Generators in C++17 (heddle/generator.h says what they are and what they may do):
 *
 *     heddle::generator_stack<> stack;
 *     heddle::generator<int> numbers(stack, [&](auto yield) {
 *         for (int i = 0; i < count; i++)
 *             yield(i);
 *     });
 *     for (int number : numbers)
 *         sum += number;
 *
 * Without a generator_stack it gets a stack as tasks have. A function that yields for its caller takes a
 * heddle::yielder<int>, which is copied like a pointer.
 *
 * The function object is destroyed with the generator. If a generator is destroyed before its end, local variables of
 * the function are not destroyed: it goes no further.
 */
#ifndef HEDDLE_GENERATOR_HPP
#define HEDDLE_GENERATOR_HPP

#include "heddle/exceptions.hpp"
#include "heddle/generator.h"

namespace heddle
{

/* Memory for the stack of one generator at a time, in the user's frame. */
template <size_t Size = HEDDLE_GENERATOR_STACK_DEFAULT> struct generator_stack {
	static_assert(Size >= HEDDLE_GENERATOR_STACK_MINIMUM, "too small for a generator");
	generator_stack()
	{
	}
	alignas(64) unsigned char memory[Size];
};

namespace detail
{

/* How a value goes through a register: by value if it fits, else by address. */
template <class T, bool fits = std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(intptr_t)>
struct generated;

template <class T> struct generated<T, true> {
	using type = T;
	static intptr_t give(const T &value)
	{
		intptr_t word = 0;
		__builtin_memcpy(&word, &value, sizeof(T));
		return word;
	}
	static T take(intptr_t word)
	{
		std::remove_const_t<T> value;
		__builtin_memcpy(&value, &word, sizeof(T));
		return value;
	}
};

template <class T> struct generated<T, false> {
	using type = const T &;
	static intptr_t give(const T &value)
	{
		return reinterpret_cast<intptr_t>(&value);
	}
	static const T &take(intptr_t word)
	{
		return *reinterpret_cast<const T *>(word);
	}
};

} // namespace detail

/* What a generator yields through: yield(value), called by it or by its callees. */
template <class T> class yielder
{
  public:
	explicit yielder(c::generator_body *self) : self_(self)
	{
	}

	/* A value that is not small stays where it is; the resumer can read it there until it asks for the next. */
	__attribute__((always_inline)) void operator()(const T &value) const
	{
		generator_yield(self_, detail::generated<T>::give(value));
	}

  private:
	c::generator_body *self_;
};

template <class T> class [[nodiscard]] generator
{
  public:
	/* The value of a step: T, or a reference to what was yielded if that is not small. */
	using value_type = typename detail::generated<T>::type;

	/* A generator with its own stack of at least `size` bytes; 0: HEDDLE_TASK_STACK_DEFAULT. The function is moved
	 * there. */
	template <class Function> explicit generator(Function function, size_t size = 0)
	{
		make(nullptr, size, function);
	}

	/* A generator on a stack that outlives it. */
	template <size_t Size, class Function> generator(generator_stack<Size> &stack, Function function)
	{
		make(stack.memory, Size, function);
	}

	generator(generator &&other) noexcept
	    : generator_(other.generator_), error_(other.error_), end_(other.end_)
	{
		other.generator_.body = nullptr;
		other.error_ = HEDDLE_ENDED;
	}

	generator(const generator &) = delete;
	generator &operator=(const generator &) = delete;

	~generator()
	{
		if (!generator_.body)
			return;
		if (end_)
			end_(generator_.body->argument);
		generator_destroy(&generator_);
	}

	/* Whether it was made; error() says why not: HEDDLE_NO_MEMORY, HEDDLE_BAD_ARGUMENT. */
	explicit operator bool() const
	{
		return generator_.body;
	}

	heddle_error error() const
	{
		return error_;
	}

	/* Run it until it yields: true, and value() is new; or until its end: false. Not after its end. */
	__attribute__((always_inline)) bool next()
	{
		return generator_.body && generator_resume(&generator_) == HEDDLE_OK;
	}

	value_type value() const
	{
		return detail::generated<T>::take(generator_value(&generator_));
	}

	struct sentinel {
	};

	class iterator
	{
	  public:
		iterator(generator *of, bool more) : of_(of), more_(more)
		{
		}

		__attribute__((always_inline)) iterator &operator++()
		{
			more_ = generator_resume(&of_->generator_) == HEDDLE_OK;
			return *this;
		}

		value_type operator*() const
		{
			return of_->value();
		}

		bool operator!=(sentinel) const
		{
			return more_;
		}

	  private:
		generator *of_;
		bool more_;
	};

	/* Call it once. For a generator that was not made the range is empty. */
	__attribute__((always_inline)) iterator begin()
	{
		return iterator(this, next());
	}

	sentinel end()
	{
		return {};
	}

  private:
	template <class Function> void make(void *memory, size_t size, Function &function)
	{
		static_assert(alignof(Function) <= 16, "the function is moved to the top of the stack");
		c::generator made;
		error_ = generator_create_with(&made, memory, size, run<Function>, nullptr, sizeof(Function));
		if (error_ == HEDDLE_OK)
			detail::move_to(made.body->argument, function);
		generator_ = made;
		end_ = nullptr;
		if constexpr (!std::is_trivially_destructible_v<Function>)
			end_ = [](void *ended) { static_cast<Function *>(ended)->~Function(); };
	}

	template <class Function> static void run(c::generator_body *self, void *function)
	{
		detail::must_return("an exception has left the function of a generator: catch it there",
		                    [&] { (*static_cast<Function *>(function))(yielder<T>(self)); });
	}

	c::generator generator_;
	heddle_error error_;
	void (*end_)(void *function);
};

} // namespace heddle

#endif

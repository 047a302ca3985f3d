/*
 * C++20 coroutines that are called: one that awaits another goes on when that ends. Control passes straight
 * between the two (symmetric transfer), and the frames may come from a pool.
 */
#ifndef PEERS_CPP20_CALL_HPP
#define PEERS_CPP20_CALL_HPP

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <utility>

namespace cpp20
{

/* Free frames, a list for each size. One thread. */
class frame_pool
{
	static constexpr std::size_t step = 64, sizes = 16;

	struct free_frame {
		free_frame *next;
	};
	static inline free_frame *lists[sizes];

  public:
	static inline bool is_used;

	static void *take(std::size_t size)
	{
		if (!is_used || size > step * sizes)
			return ::operator new(size);
		free_frame *&list = lists[(size - 1) / step];
		return list ? std::exchange(list, list->next) : ::operator new((size + step - 1) / step * step);
	}

	static void give(void *frame, std::size_t size)
	{
		if (!is_used || size > step * sizes)
			return ::operator delete(frame);
		free_frame *&list = lists[(size - 1) / step];
		list = new (frame) free_frame{list};
	}
};

class call
{
  public:
	struct promise_type;
	using handle = std::coroutine_handle<promise_type>;

	struct to_caller {
		bool await_ready() const noexcept
		{
			return false;
		}

		std::coroutine_handle<> await_suspend(handle ended) const noexcept;

		void await_resume() const noexcept
		{
		}
	};

	struct promise_type {
		std::coroutine_handle<> caller = std::noop_coroutine();
		uint64_t result = 0;

		static void *operator new(std::size_t size)
		{
			return frame_pool::take(size);
		}

		static void operator delete(void *frame, std::size_t size)
		{
			frame_pool::give(frame, size);
		}

		call get_return_object()
		{
			return call(handle::from_promise(*this));
		}

		std::suspend_always initial_suspend() noexcept
		{
			return {};
		}

		to_caller final_suspend() noexcept
		{
			return {};
		}

		void return_value(uint64_t value)
		{
			result = value;
		}

		void unhandled_exception()
		{
			std::terminate();
		}
	};

	explicit call(handle own) : frame(own)
	{
	}

	call(call &&other) noexcept : frame(std::exchange(other.frame, nullptr))
	{
	}

	call &operator=(call &&) = delete;

	~call()
	{
		if (frame)
			frame.destroy();
	}

	std::coroutine_handle<> start() const
	{
		return frame;
	}

	bool await_ready() const noexcept
	{
		return false;
	}

	std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller)
	{
		frame.promise().caller = caller;
		return frame;
	}

	uint64_t await_resume() const
	{
		return frame.promise().result;
	}

  private:
	handle frame;
};

inline std::coroutine_handle<> call::to_caller::await_suspend(handle ended) const noexcept
{
	return ended.promise().caller;
}

} // namespace cpp20

#endif

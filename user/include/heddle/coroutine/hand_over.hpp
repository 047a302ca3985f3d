/* Coroutines by exchange (coroutine.hpp): what runs after an operation that lets others go on. */
#ifndef HEDDLE_COROUTINE_HAND_OVER_HPP
#define HEDDLE_COROUTINE_HAND_OVER_HPP

#include <coroutine>

#include "heddle/coroutine/line.hpp"

namespace heddle::coroutine
{

/* The first that goes on is resumed here, the caller and the others are posted (Figure 6). Each of these gives
 * back what runs next. */
struct by_exchange {
	static std::coroutine_handle<> hand_over(work &self, line going) noexcept
	{
		waiter *first = going.take();
		going.post_all();
		if (!first)
			return self.handle;
		work &next = *first->coroutine;
		if (next.may_follow({self.executor, self.chain})) {
			self.post();
			return next.handle;
		}
		next.post();
		return self.handle;
	}
};

/* All are posted, the caller goes on (Figure 3). */
struct by_dispatch {
	static std::coroutine_handle<> hand_over(work &self, line going) noexcept
	{
		going.post_all();
		return self.handle;
	}
};

} // namespace heddle::coroutine

#endif

/* Coroutines by exchange (coroutine.hpp): what runs after an operation that lets others go on. */
#ifndef HEDDLE_COROUTINE_HAND_OVER_HPP
#define HEDDLE_COROUTINE_HAND_OVER_HPP

#include "heddle/coroutine/line.hpp"

namespace heddle::coroutine
{

/* The first that goes on runs next here, the caller and the others are posted (Figure 6). Each of these gives back
 * what runs next. If that is another than the caller, the caller may run elsewhere already. */
struct by_exchange {
	static work &hand_over(work &self, line going) noexcept
	{
		waiter *first = going.take();
		going.post_all();
		if (!first)
			return self;
		work &next = *first->coroutine;
		if (next.executor == self.executor && self.here().may_hand_over()) {
			self.post();
			return next;
		}
		next.post();
		return self;
	}
};

/* All are posted, the caller goes on (Figure 3). */
struct by_dispatch {
	static work &hand_over(work &self, line going) noexcept
	{
		going.post_all();
		return self;
	}
};

} // namespace heddle::coroutine

#endif

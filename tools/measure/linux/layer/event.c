#include "heddle/event.h"

#include <stdatomic.h>

#include "tools/measure/linux/layer/futex.h"

enum heddle_error event_set(struct event *event)
{
	/* release: a waiting thread sees what was written before; pairs with event_wait */
	atomic_store_explicit(&event->set, 1, memory_order_release);
	futex_wake(&event->set, FUTEX_ALL);
	return HEDDLE_OK;
}

enum heddle_error event_wait(struct event *event)
{
	/* acquire: pairs with event_set */
	while (!atomic_load_explicit(&event->set, memory_order_acquire))
		futex_wait(&event->set, 0);
	return HEDDLE_OK;
}

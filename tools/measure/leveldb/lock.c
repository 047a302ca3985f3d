#include "tools/measure/leveldb/lock.h"

#include <stdatomic.h>
#include <string.h>

#include "user/bench/condition_choice.h"

_Static_assert(sizeof(struct chosen_mutex) <= sizeof(struct port_mutex), "PORT_MUTEX_WORDS");
_Static_assert(sizeof(struct chosen_condition) <= sizeof(struct port_condition), "PORT_CONDITION_WORDS");

static enum lock_variant chosen;
static _Atomic(uint64_t) acquisitions, contended;

bool port_lock_choose(const char *name)
{
	static const char *const names[] = {
	    [VARIANT_EXCHANGE] = "exchange",
	    [VARIANT_DISPATCH] = "dispatch",
	    [VARIANT_INLINE] = "inline",
	    [VARIANT_CES_SPIN] = "ces-spin",
	};
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		chosen = (enum lock_variant)i;
		if (strcmp(name, names[i]) == 0)
			return true;
	}
	return false;
}

struct port_lock_totals port_lock_count(void)
{
	return (struct port_lock_totals){
	    .acquisitions = atomic_load_explicit(&acquisitions, memory_order_relaxed),
	    .contended = atomic_load_explicit(&contended, memory_order_relaxed),
	};
}

static struct chosen_mutex *mutex_of(struct port_mutex *mutex)
{
	return (struct chosen_mutex *)mutex;
}

static struct chosen_condition *condition_of(struct port_condition *condition)
{
	return (struct chosen_condition *)condition;
}

void port_mutex_create(struct port_mutex *mutex)
{
	*mutex_of(mutex) = (struct chosen_mutex){.variant = chosen};
}

void port_mutex_destroy(struct port_mutex *mutex)
{
	const struct chosen_mutex *ended = mutex_of(mutex);
	if (ended->variant != VARIANT_EXCHANGE)
		return;
	const struct lock_counters *counters = &ended->exchange.counters;
	atomic_fetch_add_explicit(&acquisitions, counters->acquisitions, memory_order_relaxed);
	atomic_fetch_add_explicit(&contended, counters->contended, memory_order_relaxed);
}

void port_mutex_lock(struct port_mutex *mutex)
{
	chosen_mutex_lock(mutex_of(mutex));
}

void port_mutex_unlock(struct port_mutex *mutex)
{
	chosen_mutex_unlock(mutex_of(mutex));
}

void port_condition_create(struct port_condition *condition)
{
	memset(condition, 0, sizeof(*condition));
}

void port_condition_wait(struct port_condition *condition, struct port_mutex *mutex)
{
	chosen_condition_wait(condition_of(condition), mutex_of(mutex));
}

void port_condition_notify_one(struct port_condition *condition, struct port_mutex *mutex)
{
	chosen_condition_notify_one(condition_of(condition), mutex_of(mutex));
}

void port_condition_notify_all(struct port_condition *condition, struct port_mutex *mutex)
{
	chosen_condition_notify_all(condition_of(condition), mutex_of(mutex));
}

/*
 * Writing events. The compiler does not know that functions call these (arch/x86_64/branch.h), so all registers may be
 * in use. Therefore everything that they call is inline, and this file is compiled without vector registers.
 */
#include "sched/trace.h"

static inline bool is_wanted(enum trace_kind kind)
{
	return atomic_load_explicit(&trace_wanted, memory_order_relaxed) >> kind & 1;
}

static inline struct trace_ring *own_ring(void)
{
	return &trace_rings[processor_current()->index];
}

static inline void trace_put(struct trace_ring *ring, uint64_t cycles, enum trace_kind kind, uint64_t number,
                             uint64_t place)
{
	trace_ring_put(ring, cycles << 16 | (uint64_t)kind << 12 | (number >> 16 & 0xfff),
	               number << 48 | (place & 0xffffffffffff));
}

static inline void record(enum trace_kind kind, uint64_t number, uint64_t place)
{
	struct trace_ring *ring = own_ring();
	if (!is_wanted(kind))
		return;
	ring->leaves = false; /* otherwise the switch would have an earlier time */
	trace_put(ring, arch_cycles(), kind, number, place);
}

ARCH_KEEPS_REGISTERS void trace_record_switch(uintptr_t left, uintptr_t next)
{
	const struct task *from = (const struct task *)left, *to = (const struct task *)next;
	struct trace_ring *ring = own_ring();
	if (atomic_load_explicit(&trace_wanted, memory_order_relaxed) == 0)
		return; /* there may be no ring */
	uint64_t cycles = ring->leaves ? ring->latest : arch_cycles();
	ring->leaves = false;
	if (from->function_ended && is_wanted(TRACE_END))
		trace_put(ring, cycles, TRACE_END, from->pooled.number, 0);
	if (is_wanted(TRACE_SWITCH))
		trace_put(ring, cycles, TRACE_SWITCH, to->pooled.number, from->pooled.number);
}

/* --------------------------------------------------------------------------------------- texts, names -- */

static inline void text_copy(char *to, unsigned size, const char *from)
{
	unsigned length = 0;
	for (; from[length] && length < size - 1; length++)
		to[length] = from[length];
	to[length] = 0;
}

static inline bool trace_text_is(const char *text, const char *other)
{
	while (*text && *text == *other) {
		text++;
		other++;
	}
	return *text == *other;
}

static inline void count_untold(void)
{
	atomic_fetch_add_explicit(&trace_area->untold, 1, memory_order_relaxed);
}

/* NULL -> the text; the first to come writes it. Relaxed: only tools read it. */
static inline bool text_is_at(struct trace_text *place, const char *text)
{
	const char *key = atomic_load_explicit(&place->key, memory_order_relaxed);
	if (key)
		return key == text;
	if (atomic_compare_exchange_strong_explicit(&place->key, &key, text, memory_order_relaxed,
	                                            memory_order_relaxed)) {
		text_copy(place->text, sizeof(place->text), text);
		return true;
	}
	return key == text;
}

/* The number of a kind of object: its text has the same address each time. */
static inline uint32_t kind_number(const char *kind)
{
	uint32_t first = (uint32_t)((uintptr_t)kind >> 2) % TRACE_TEXTS;
	for (uint32_t step = 0; step < TRACE_TEXTS; step++) {
		uint32_t number = (first + step) % TRACE_TEXTS;
		if (text_is_at(&trace_area->kinds[number], kind))
			return number;
	}
	count_untold();
	return TRACE_TEXTS;
}

/* An entry for a name belongs to the first task that comes to it, and to later tasks with its number. */
static inline void name_keep(const struct task *task)
{
	struct trace_name *name = &trace_area->names[task->pooled.number % TRACE_NAMES];
	uint32_t owner = 0, mine = task->pooled.number + 1;
	/* 0 -> this task's number */
	if (atomic_compare_exchange_strong_explicit(&name->owner, &owner, mine, memory_order_relaxed,
	                                            memory_order_relaxed)) {
		text_copy(name->text, sizeof(name->text), task->name);
	} else if (owner != mine) {
		count_untold();
	} else if (!trace_text_is(name->text, task->name)) {
		name->changes++;
		text_copy(name->text, sizeof(name->text), task->name);
	}
}

ARCH_KEEPS_REGISTERS void trace_record_create(uintptr_t task, uintptr_t unused)
{
	const struct task *made = (const struct task *)task;
	(void)unused;
	if (trace_area)
		name_keep(made);
	record(TRACE_CREATE, made->pooled.number, 0);
}

/* ---------------------------------------------------------------------------------------------- waits -- */

ARCH_KEEPS_REGISTERS void trace_record_wait(uintptr_t kind, uintptr_t object)
{
	struct trace_ring *ring = own_ring();
	if (!is_wanted(TRACE_WAIT))
		return;
	ring->latest = arch_cycles();
	ring->leaves = true;
	trace_put(ring, ring->latest, TRACE_WAIT, kind_number((const char *)kind), object);
}

/* Whether the processor's own stack runs, and not for a task. */
static inline bool is_finalizing(void)
{
	return arch_stack_limit() == 0 && processor_current()->stack_taken == 0;
}

ARCH_KEEPS_REGISTERS void trace_record_grant(uintptr_t task, uintptr_t object)
{
	record(is_finalizing() ? TRACE_GRANT_LEFT : TRACE_GRANT, ((const struct task *)task)->pooled.number,
	       object);
}

ARCH_KEEPS_REGISTERS void trace_record_expire(uintptr_t task, uintptr_t object)
{
	record(TRACE_EXPIRE, ((const struct task *)task)->pooled.number, object);
}

ARCH_KEEPS_REGISTERS void trace_record_revoke(uintptr_t task, uintptr_t object)
{
	record(TRACE_REVOKE, ((const struct task *)task)->pooled.number, object);
}

/* ---------------------------------------------------------------------------------------- all others -- */

ARCH_KEEPS_REGISTERS void trace_record_acquire(uintptr_t lock, uintptr_t kind)
{
	if (is_wanted(TRACE_ACQUIRE))
		record(TRACE_ACQUIRE, kind_number((const char *)kind), lock);
}

ARCH_KEEPS_REGISTERS void trace_record_release(uintptr_t lock, uintptr_t unused)
{
	(void)unused;
	record(TRACE_RELEASE, 0, lock);
}

ARCH_KEEPS_REGISTERS void trace_record_halt(uintptr_t halts, uintptr_t unused)
{
	(void)unused;
	record(halts ? TRACE_HALT : TRACE_RUN, 0, 0);
}

ARCH_KEEPS_REGISTERS void trace_record_wake(uintptr_t processor, uintptr_t unused)
{
	(void)unused;
	record(TRACE_WAKE, processor, 0);
}

ARCH_KEEPS_REGISTERS void trace_record_take(uintptr_t victim, uintptr_t tasks)
{
	record(TRACE_TAKE, tasks, ((const struct processor *)victim)->index);
}

#include "sched/trace.h"

#include "kernel/command_line.h"
#include "kernel/console.h"
#include "kernel/memory.h"
#include "sched/scheduler.h"

#define SIZE_DEFAULT 65536   /* events */
#define SOON         1000000 /* nanoseconds after the start: tells the counter's rate if the run never ends */

#define EVENT(name) (1u << TRACE_##name)

static const uint32_t group_events[] = {[TRACE_GROUP_SWITCHES] = EVENT(SWITCH),
                                        [TRACE_GROUP_WAITS] = EVENT(WAIT) | EVENT(GRANT) | EVENT(GRANT_LEFT) |
                                                              EVENT(EXPIRE) | EVENT(REVOKE),
                                        [TRACE_GROUP_LOCKS] = EVENT(ACQUIRE) | EVENT(RELEASE),
                                        [TRACE_GROUP_TASKS] = EVENT(CREATE) | EVENT(END),
                                        [TRACE_GROUP_IDLE] = EVENT(HALT) | EVENT(RUN),
                                        [TRACE_GROUP_WAKES] = EVENT(WAKE),
                                        [TRACE_GROUP_MIGRATIONS] = EVENT(TAKE)};

#define GROUPS (sizeof(group_events) / sizeof(*group_events))

_Atomic uint32_t trace_wanted;
struct trace_ring *trace_rings;
struct trace_area *trace_area;

/* -------------------------------------------------------------------------------------- start and end -- */

static struct trace_moment moment_now(void)
{
	return (struct trace_moment){arch_cycles() - processor_current()->clock_offset, arch_clock()};
}

static void rings_create(uint64_t size)
{
	struct trace_event *events = (struct trace_event *)((char *)trace_area + trace_area->event_offset);
	for (unsigned index = 0; index < processor_count; index++)
		trace_rings[index] = (struct trace_ring){
		    .size = size,
		    .clock_ahead = processors[index].clock_offset,
		    .idle_task = processors[index].scheduler->idle_task->pooled.number,
		    .events = events + index * size,
		};
}

static size_t trace_round_up(size_t bytes)
{
	return (bytes + CACHE_LINE_PAIR - 1) & ~(size_t)(CACHE_LINE_PAIR - 1);
}

static bool area_create(uint64_t size)
{
	size_t rings = trace_round_up(sizeof(struct trace_area));
	size_t events = rings + processor_count * sizeof(struct trace_ring);
	size_t bytes = events + processor_count * size * sizeof(struct trace_event);
	trace_area = arch_trace_memory(bytes);
	if (!trace_area)
		return false;
	trace_area->magic = TRACE_MAGIC;
	trace_area->version = TRACE_VERSION;
	trace_area->processors = processor_count;
	trace_area->bytes = bytes;
	trace_area->ring_offset = rings;
	trace_area->ring_bytes = sizeof(struct trace_ring);
	trace_area->ring_size = size;
	trace_area->event_offset = events;
	trace_rings = (struct trace_ring *)((char *)trace_area + rings);
	rings_create(size);
	return true;
}

void trace_start(void)
{
	trace_area = NULL;
	trace_turn(false);
	if (!command_line.trace.on ||
	    !area_create(command_line.trace.size ? command_line.trace.size : SIZE_DEFAULT))
		return;
	trace_area->start = moment_now();
	while (arch_clock() < trace_area->start.nanoseconds + SOON)
		arch_pause();
	trace_area->soon = moment_now();
	trace_turn(!command_line.trace.paused);
}

void trace_turn(bool on)
{
	uint32_t wanted = 0;
	for (unsigned group = 0; group < GROUPS; group++)
		if (command_line.trace.groups == 0 || command_line.trace.groups >> group & 1)
			wanted |= group_events[group];
	/* Relaxed: an event more or less does no harm. */
	atomic_store_explicit(&trace_wanted, on && trace_area ? wanted : 0, memory_order_relaxed);
}

void trace_finish(void)
{
	trace_turn(false);
	if (trace_area)
		trace_area->end = moment_now();
}

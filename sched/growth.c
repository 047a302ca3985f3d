#include "sched/growth.h"

#include <string.h>

#include "kernel/command_line.h"
#include "sched/callback.h"
#include "sched/control.h"
#include "sched/growth_refusal.h"
#include "sched/quantum.h"
#include "sched/scheduler.h"
#include "sched/switch.h"

#define SEGMENT_SMALLEST ((size_t)2048)
#define SEGMENT_SIZES    20 /* SEGMENT_SMALLEST << 0 to HEDDLE_TASK_STACK_MAXIMUM, which no stack exceeds */
#define CROSSED_OFTEN    64
#define CROSSED_CLASS    5  /* the largest class taken because a piece was crossed often: 64 KiB */
#define COLOUR_SHARE     16 /* a segment gives up this part for colours */
#define VECTOR_ALIGNMENT 64

struct stack_segment {
	struct pool_object pooled;
	struct stack_segment *older;    /* NULL: the piece in the task's block */
	uint16_t size_class, crossings; /* how often a newer piece was taken from here, up to CROSSED_OFTEN */
	uint32_t bytes;
	union {
		uintptr_t mark;  /* of memory from stack_allocate(): free once the stack pointer is above it, */
		uint64_t canary; /* of a piece of stack: its lowest word */
	};
};

_Static_assert(SEGMENT_SMALLEST << (SEGMENT_SIZES - 1) == HEDDLE_TASK_STACK_MAXIMUM,
               "a frame that a stack has room for has its size");

const size_t stack_low_in_task = offsetof(struct task, context.stack_low);

static struct pool segment_pools[SEGMENT_SIZES];

/* If segments lay a power of two apart, the ends of all of them would share few sets of the cache, like those of
 * whole stacks (task_memory.c). With a 16th less, about 16 in a row lie in as many different sets; then their slab
 * ends, and the next one begins elsewhere (pool.c). A piece in a task's block needs nothing: TASK_BLOCK is no such
 * distance. */
void stack_segments_create(void)
{
	for (unsigned size_class = 0; size_class < SEGMENT_SIZES; size_class++) {
		size_t bytes = SEGMENT_SMALLEST << size_class;
		if (command_line.colour)
			bytes -= bytes / COLOUR_SHARE;
		pool_create(&segment_pools[size_class], "stack segments", bytes, NULL);
	}
}

static uintptr_t segment_low(const struct stack_segment *segment)
{
	return (uintptr_t)&segment->canary;
}

static uintptr_t segment_high(const struct stack_segment *segment)
{
	return (uintptr_t)segment + segment->bytes;
}

/* Make the newest piece the task's current stack. */
static void piece_set(struct task *task, uintptr_t low, uintptr_t high)
{
	task->context.stack_low = (void *)low;
	task->context.stack_size = high - low;
	task->context.limit = stack_limit_of(low);
}

void stack_reset_block(struct task *task)
{
	task->segment = NULL;
	task->spaces = NULL;
	task->stack_grown = 0;
	task->stack_class = 0;
	piece_set(task, stack_block_low(task), stack_block_high(task));
	stack_canary_place(task);
	arch_context_prepare(stack_block_high(task), task_entry);
}

bool stack_block_is_reset(const struct task *task)
{
	return !task->segment && !task->spaces && task->stack_grown == 0 && task->stack_class == 0 &&
	       (uintptr_t)task->context.stack_low == stack_block_low(task) &&
	       task->context.stack_size == stack_block_high(task) - stack_block_low(task) &&
	       *(const uint64_t *)stack_block_low(task) == STACK_CANARY &&
	       arch_context_is_prepared(stack_block_high(task), task_entry);
}

bool stack_piece_around(const struct task *task, uintptr_t address, uintptr_t *low, uintptr_t *high)
{
	for (const struct stack_segment *segment = task->segment; segment; segment = segment->older)
		if (address >= segment_low(segment) && address < segment_high(segment)) {
			*low = segment_low(segment);
			*high = segment_high(segment);
			return true;
		}
	if (address < stack_block_low(task) || address >= stack_block_high(task))
		return false;
	*low = stack_block_low(task);
	*high = stack_block_high(task);
	return true;
}

/* -------------------------------------------------------------------------------------------- shrink -- */

static void segment_give(struct task *task, struct stack_segment *segment)
{
	task->stack_grown -= segment->bytes;
	pool_give(&segment_pools[segment->size_class], &segment->pooled);
}

/* Give back the memory of functions that have returned, and of arrays that are gone: all whose marks lie in these
 * bounds. */
static void spaces_give(struct task *task, uintptr_t low, uintptr_t high)
{
	while (task->spaces && task->spaces->mark >= low && task->spaces->mark < high) {
		struct stack_segment *space = task->spaces;
		task->spaces = space->older;
		segment_give(task, space);
	}
}

/* If a function calls others at the end of a piece, each call grows the stack, and each return shrinks it again. When
 * such a piece is given back, larger ones are taken from then on, so that its successor has room for those calls. */
static void crossings_note(struct task *task, const struct stack_segment *segment)
{
	if (segment->crossings == CROSSED_OFTEN && segment->size_class < CROSSED_CLASS)
		task->stack_class = (uint8_t)(segment->size_class + 1);
}

/* Make the next older piece the newest. */
static void newest_leave(struct task *task)
{
	crossings_note(task, task->segment);
	task->segment = task->segment->older;
	if (task->segment)
		piece_set(task, segment_low(task->segment), segment_high(task->segment));
	else
		piece_set(task, stack_block_low(task), stack_block_high(task));
}

static void newest_give(struct task *task)
{
	struct stack_segment *segment = task->segment;
	if (segment->canary != STACK_CANARY)
		stack_overflow(task);
	spaces_give(task, segment_low(segment), segment_high(segment));
	newest_leave(task);
	segment_give(task, segment);
}

bool stack_shrink_small(void)
{
	struct task *task = task_current();
	struct stack_segment *segment = task->segment;
	if (segment->canary != STACK_CANARY || task->spaces ||
	    !pool_give_at_hand(&segment_pools[segment->size_class], &segment->pooled))
		return false;
	/* No other can take what is in this processor's magazine before this is over. */
	task->stack_grown -= segment->bytes;
	newest_leave(task);
	arch_stack_limit_set(task->context.limit);
	return true;
}

void stack_shrink(void)
{
	struct task *task = task_current();
	newest_give(task);
	arch_stack_limit_set(task->context.limit);
}

struct departure {
	uintptr_t stack_pointer; /* of the function where the task goes on, */
	bool with_own;           /* its own memory goes back, too: it has just begun */
};

static void segments_leave(void *argument)
{
	const struct departure *departure = argument;
	struct task *task = task_current();
	uintptr_t low, high;
	if (!stack_piece_around(task, departure->stack_pointer, &low, &high))
		return;
	while (task->segment && segment_low(task->segment) != low)
		newest_give(task);
	spaces_give(task, low, departure->stack_pointer + departure->with_own);
}

/* Return from foreign code, from what that called back on the processor's stack, or from a signal handler, to the
 * task's own stack. If that grows, its newest piece sets the limit; else there is still none. */
static void come_back(struct task *task, uintptr_t stack_pointer)
{
	uintptr_t newest = (uintptr_t)task->context.stack_low, low, high;
	if (!task->grows)
		arch_stack_limit_set(stack_pointer - newest < task->context.stack_size ? newest : 0);
	else
		arch_stack_limit_set(stack_piece_around(task, stack_pointer, &low, &high) ? stack_limit_of(newest)
		                                                                          : 0);
}

/* A growing stack goes on at its newest piece, whatever generator has run since. */
static void growth_settle(struct departure departure)
{
	struct scheduler *scheduler = scheduler_current();
	uintptr_t limit = arch_stack_limit();
	if (!scheduler)
		return;
	struct task *task = scheduler->current;
	if (stack_limit_is_elsewhere(limit)) {
		come_back(task, departure.stack_pointer);
		limit = arch_stack_limit();
	}
	if (!(limit & STACK_GROWS))
		return;
	bool in_newest = departure.stack_pointer - (uintptr_t)task->context.stack_low < task->context.stack_size;
	if (in_newest && !task->spaces)
		return;
	arch_call_on_processor_stack(segments_leave, &departure);
	if (!in_newest)
		arch_stack_limit_set(task->context.limit);
}

/* The counter does not run in calls back, nor after a check that could not switch the task; that check may have been
 * here, before this was settled. */
static void count_again(struct scheduler *scheduler)
{
	struct processor *processor = scheduler->processor;
	scheduler->switch_due = processor->uncooperative > 0;
	if (!scheduler->switch_due)
		quantum_counter_end(processor);
}

static void land(uintptr_t stack_pointer)
{
	struct scheduler *scheduler = scheduler_current();
	if (!scheduler)
		return;
	growth_settle((struct departure){.stack_pointer = stack_pointer});
	if (callbacks_settle(stack_pointer) || scheduler->switch_due)
		count_again(scheduler);
}

void heddle_stack_jumped(void)
{
	land(arch_frame_pointer() + 2 * sizeof(uintptr_t));
}

void heddle_stack_landed(void)
{
	control_keep_exceptions();
	land(arch_frame_pointer() + 2 * sizeof(uintptr_t));
}

void heddle_stack_entered(void)
{
	growth_settle(
	    (struct departure){.stack_pointer = arch_frame_pointer() + 2 * sizeof(uintptr_t), .with_own = true});
}

void stack_release_segments(struct task *task)
{
	while (task->segment)
		newest_give(task);
	spaces_give(task, stack_block_low(task), stack_block_high(task));
}

void *stack_reset(struct task *task)
{
	processor_current()->stack_taken = false;
	if (task->grows) {
		stack_release_segments(task);
		piece_set(task, stack_block_low(task), stack_block_high(task));
	} else {
		task->context.limit = (uintptr_t)task->context.stack_low;
	}
	arch_stack_limit_set(task->context.limit);
	return (void *)(((uintptr_t)task->context.stack_low + task->context.stack_size) & ~(uintptr_t)15);
}

/* ---------------------------------------------------------------------------------------------- grow -- */

static bool may_grow(const struct task *task, unsigned size_class)
{
	return task->stack_grown + segment_pools[size_class].object_size <= stack_maximum(task);
}

/* SEGMENT_SIZES: none is large enough. */
static unsigned size_class_of(size_t bytes)
{
	unsigned size_class = 0;
	while (size_class < SEGMENT_SIZES &&
	       segment_pools[size_class].object_size < sizeof(struct stack_segment) + bytes)
		size_class++;
	return size_class;
}

/* The class of a piece of stack for `bytes`, or a larger one if the task may have it. */
static unsigned piece_class_of(const struct task *task, size_t bytes)
{
	unsigned size_class = size_class_of(bytes);
	return size_class < task->stack_class && may_grow(task, task->stack_class) ? task->stack_class
	                                                                           : size_class;
}

static void segment_begin(struct task *task, struct stack_segment *segment, unsigned size_class)
{
	segment->size_class = (uint16_t)size_class;
	segment->bytes = (uint32_t)segment_pools[size_class].object_size;
	task->stack_grown += segment->bytes;
	task_touch(task);
}

/* Take a segment of that class for the current task; if there is none, one of the least class with room for `bytes`. */
static struct stack_segment *segment_take(struct task *task, size_t bytes, unsigned size_class,
                                          const struct arch_place *place)
{
	if (!(processor_current()->limit_left & STACK_GROWS))
		growth_refuse_whole(task, place, bytes);
	if (size_class == SEGMENT_SIZES || !may_grow(task, size_class))
		growth_refuse(task, place, sizeof(struct stack_segment) + bytes);
	struct stack_segment *segment = (struct stack_segment *)pool_take(&segment_pools[size_class]);
	if (!segment && size_class > size_class_of(bytes)) {
		size_class = size_class_of(bytes);
		segment = (struct stack_segment *)pool_take(&segment_pools[size_class]);
	}
	if (!segment)
		growth_refuse_memory(task, place, segment_pools[size_class].object_size);
	segment_begin(task, segment, size_class);
	return segment;
}

static size_t bytes_of(size_t frame)
{
	return frame + STACK_RESERVE + 2 * VECTOR_ALIGNMENT;
}

static void piece_add(struct task *task, struct stack_segment *segment)
{
	if (task->segment && task->segment->crossings < CROSSED_OFTEN)
		task->segment->crossings++;
	segment->older = task->segment;
	segment->crossings = 0;
	segment->canary = STACK_CANARY;
	task->segment = segment;
	piece_set(task, segment_low(segment), segment_high(segment));
	arch_stack_limit_set(task->context.limit);
}

void *stack_grow(size_t frame, const void *arguments, size_t bytes)
{
	struct task *task = task_current();
	const struct arch_place place = arch_stack_place(arguments);
	size_t needed = bytes_of(frame) + bytes;
	struct stack_segment *segment = segment_take(task, needed, piece_class_of(task, needed), &place);
	piece_add(task, segment);
	/* Arguments may be aligned like vectors. */
	uintptr_t top = segment_high(segment) - VECTOR_ALIGNMENT - bytes;
	top = (top & ~(uintptr_t)(VECTOR_ALIGNMENT - 1)) + (uintptr_t)arguments % VECTOR_ALIGNMENT;
	return memcpy((void *)top, arguments, bytes);
}

void *stack_grow_small(size_t frame)
{
	struct task *task = task_current();
	unsigned size_class = piece_class_of(task, bytes_of(frame));
	if (!(arch_stack_limit() & STACK_GROWS) || size_class == SEGMENT_SIZES || !may_grow(task, size_class))
		return NULL;
	struct stack_segment *segment = (struct stack_segment *)pool_take_at_hand(&segment_pools[size_class]);
	if (!segment)
		return NULL;
	segment_begin(task, segment, size_class);
	piece_add(task, segment);
	return (void *)(segment_high(segment) - VECTOR_ALIGNMENT);
}

void *stack_allocate(size_t bytes, uintptr_t stack_pointer, uintptr_t mark)
{
	struct task *task = task_current();
	const struct arch_place place = arch_stack_place((void *)(stack_pointer + sizeof(uintptr_t)));
	uintptr_t low = (uintptr_t)task->context.stack_low;
	spaces_give(task, low, stack_pointer);
	size_t needed = bytes + VECTOR_ALIGNMENT;
	struct stack_segment *space = segment_take(task, needed, size_class_of(needed), &place);
	space->older = task->spaces;
	space->mark = mark;
	task->spaces = space;
	arch_stack_limit_set(processor_current()->limit_left);
	return (void *)(((uintptr_t)(space + 1) + VECTOR_ALIGNMENT - 1) & ~(uintptr_t)(VECTOR_ALIGNMENT - 1));
}

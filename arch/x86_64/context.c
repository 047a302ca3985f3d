/*
 * Contexts, for the bare machine and the hosted build alike, and what sanitizers must be told about them.
 */
#include "arch/arch.h"

#include <stdatomic.h>
#include <string.h>

#include "arch/x86_64/instructions.h"
#include "arch/x86_64/layout.h"
#include "heddle/task.h"

#ifdef __SANITIZE_ADDRESS__
#	include <sanitizer/asan_interface.h>
#	include <sanitizer/common_interface_defs.h>
#endif
#ifdef __SANITIZE_THREAD__
#	include <sanitizer/tsan_interface.h>
#endif

#define CPUID_1_ECX_STATES  (1u << 27) /* xgetbv can tell which register sets are on */
#define CPUID_1_ECX_256     (1u << 28)
#define CPUID_7_EBX_512     (1u << 16)
#define CPUID_13_1_EAX_USED (1u << 2) /* xgetbv can also tell which of them hold more than zeros */
#define CPUID_LEAF_STATES   13
#define STATES_256          0x06u
#define STATES_512          0xe6u

/* At first a context is left on its own stack. */
static void sanitizer_begin(struct arch_context *context)
{
	(void)context;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	context->sanitizer_left_low = context->stack_low;
	context->sanitizer_left_size = context->stack_size;
#endif
}

void arch_context_create(struct arch_context *context, void *stack_low, size_t stack_size,
                         void (*entry)(void))
{
	uintptr_t top = ((uintptr_t)stack_low + stack_size) & ~(uintptr_t)15;
#ifdef __SANITIZE_ADDRESS__
	__asan_unpoison_memory_region(stack_low, stack_size); /* a task that ended here may have left frames */
#endif
	*context = (struct arch_context){
	    .stack_low = stack_low, .stack_size = stack_size, .limit = (uintptr_t)stack_low};
	arch_context_prepare(top, entry);
	context->stack_pointer = context_first(top);
	sanitizer_begin(context);
#ifdef __SANITIZE_THREAD__
	context->sanitizer_fiber = context->sanitizer_left_fiber = __tsan_create_fiber(0);
#endif
}

bool arch_context_is_new(const struct arch_context *context)
{
	uintptr_t top = ((uintptr_t)context->stack_low + context->stack_size) & ~(uintptr_t)15;
	return context->stack_pointer == context_first(top);
}

_Atomic uint32_t heddle_vector_width;

/* How wide this machine's registers are that code may have in use (grow.asm): the processor must have a register set,
 * and the host or kernel must have switched it on. Some virtual processors report a set as on that they do not
 * have. */
static uint32_t vector_width(void)
{
	uint32_t features = cpuid(1, 0).ecx, on, high;
	if (!(features & CPUID_1_ECX_STATES) || !(features & CPUID_1_ECX_256))
		return 0;
	__asm__ volatile("xgetbv" : "=a"(on), "=d"(high) : "c"(0));
	uint32_t width = 0;
	if ((on & STATES_512) == STATES_512 && (cpuid(7, 0).ebx & CPUID_7_EBX_512))
		width = LAYOUT_WIDTH_512;
	else if ((on & STATES_256) == STATES_256)
		width = LAYOUT_WIDTH_256;
	if (width && (cpuid(CPUID_LEAF_STATES, 1).eax & CPUID_13_1_EAX_USED))
		width |= LAYOUT_WIDTH_USE_KNOWN;
	return width;
}

void arch_context_adopt(struct arch_context *context, void *stack_low, size_t stack_size)
{
	*context = (struct arch_context){.stack_low = stack_low, .stack_size = stack_size};
	sanitizer_begin(context);
	/* relaxed: each processor stores the same, and reads it after that. */
	atomic_store_explicit(&heddle_vector_width, vector_width(), memory_order_relaxed);
#ifdef __SANITIZE_THREAD__
	context->sanitizer_fiber = context->sanitizer_left_fiber = __tsan_get_current_fiber();
#endif
}

void arch_context_destroy(struct arch_context *context)
{
#ifdef __SANITIZE_THREAD__
	__tsan_destroy_fiber(context->sanitizer_fiber);
#endif
	context->stack_pointer = NULL;
}

uintptr_t arch_context_frame(const struct arch_context *context)
{
	return (uintptr_t) & ((const struct saved_context *)context->stack_pointer)->rbp;
}

/* The frame of __morestack() lies below the arguments. */
struct arch_place arch_stack_place(const void *arguments)
{
	uintptr_t frame = (uintptr_t)arguments - 3 * sizeof(uintptr_t);
	return (struct arch_place){.stack_pointer = frame, .frame_pointer = frame};
}

#define OPCODE_PUSH_FRAME_POINTER 0x55
#define OPCODE_RETURN             0xc3

/* Where the return address is if the function at this place has not yet made its frame, or has already dropped it:
 * then the frame pointer is its caller's. 0: it has a frame. */
static uintptr_t return_address_place(const struct arch_place *place)
{
	const uint8_t *code = (const uint8_t *)place->instruction;
	size_t offset;
	if (!code || !arch_symbol(place->instruction, &offset))
		return 0;
	if (offset == 0 || *code == OPCODE_PUSH_FRAME_POINTER || *code == OPCODE_RETURN)
		return place->stack_pointer;
	return offset == 1 && code[-1] == OPCODE_PUSH_FRAME_POINTER ? place->stack_pointer + sizeof(uintptr_t)
	                                                            : 0;
}

#define CHECK_WORD_SIZE   7 /* nopl WORD(%rax) after the call of a check (quantum.asm) */
#define OPCODE_JUMP_SHORT 0xeb
#define OPCODE_JUMP       0xe9

/* Whether this is the return address of a check at a place where the function has not yet made its frame. Then the
 * next word of the stack is the function's return address, and no frame pointer leads to it. */
static bool is_check_without_frame(uintptr_t return_address)
{
	static const uint8_t word_opcode[] = {0x0f, 0x1f, 0x80};
	const uint8_t *code = (const uint8_t *)return_address;
	size_t offset;
	int32_t distance;
	if (!arch_symbol(return_address, &offset) || memcmp(code, word_opcode, sizeof(word_opcode)) != 0)
		return false;
	while (memcmp(code, word_opcode, sizeof(word_opcode)) == 0)
		code += CHECK_WORD_SIZE;
	if (*code == OPCODE_JUMP_SHORT)
		return *(code + 2 + (int8_t)code[1]) == OPCODE_PUSH_FRAME_POINTER;
	memcpy(&distance, code + 1, sizeof(distance));
	return *code == OPCODE_JUMP && *(code + 5 + distance) == OPCODE_PUSH_FRAME_POINTER;
}

static bool is_in_stack(uintptr_t address, size_t size, uintptr_t low, uintptr_t high)
{
	return address % sizeof(uintptr_t) == 0 && address >= low && high >= size && address <= high - size;
}

#define OPCODE_CALL 0xe8
#define CALL_SIZE   5

#define GROWTH     "__morestack"
#define GROWTH_WAY "heddle_grow." /* how the names begin of the ways to it (tools/plugin/calls.h) */

static bool begins_with(const char *name, const char *beginning)
{
	return strncmp(name, beginning, strlen(beginning)) == 0;
}

bool arch_is_growth_code(uintptr_t address)
{
	size_t offset;
	const char *name = arch_symbol(address, &offset);
	if (!name || !begins_with(name, GROWTH))
		return name && begins_with(name, GROWTH_WAY);
	/* The compiler names parts of the function, too. */
	char next = name[strlen(GROWTH)];
	return next == 0 || next == '.';
}

/* After the call of __morestack() (grow.asm) with which a function begins. That function is in the list already, and
 * no frame pointer leads to its return address, which is the next word of the stack. */
static bool is_growth_call(uintptr_t return_address)
{
	const uint8_t *code = (const uint8_t *)return_address - CALL_SIZE;
	size_t offset;
	int32_t distance;
	if (!arch_symbol(return_address - CALL_SIZE, &offset) || *code != OPCODE_CALL)
		return false;
	memcpy(&distance, code + 1, sizeof(distance));
	return arch_is_growth_code(return_address + (uintptr_t)(intptr_t)distance);
}

/* Frames lie in what the address sanitizer takes for red zones. */
__attribute__((no_sanitize("address"))) size_t arch_back_trace(struct arch_place *place, uintptr_t stack_low,
                                                               uintptr_t stack_high, uintptr_t *addresses,
                                                               size_t maximum)
{
	uintptr_t without_frame = return_address_place(place);
	uintptr_t frame_pointer = place->frame_pointer;
	size_t count = 0;
	if (maximum > 0 && is_in_stack(without_frame, sizeof(uintptr_t), stack_low, stack_high))
		addresses[count++] = *(const uintptr_t *)without_frame;
	/* A frame pointer points to the caller's frame pointer and return address. */
	while (count + 2 <= maximum && is_in_stack(frame_pointer, 2 * sizeof(uintptr_t), stack_low, stack_high)) {
		const uintptr_t *frame = (const uintptr_t *)frame_pointer;
		if (!frame[1])
			break;
		bool grown = is_growth_call(frame[1]);
		if (!grown && !arch_is_growth_code(frame[1] - 1))
			addresses[count++] = frame[1];
		if ((grown || is_check_without_frame(frame[1])) &&
		    is_in_stack(frame_pointer, 3 * sizeof(uintptr_t), stack_low, stack_high))
			addresses[count++] = frame[2];
		/* Callers' frames lie above: a chain that turns back is damaged, and might never end. */
		if (frame[0] <= frame_pointer && frame[0] >= stack_low)
			break;
		frame_pointer = frame[0];
	}
	*place = (struct arch_place){.frame_pointer = frame_pointer};
	return count;
}

uintptr_t *arch_return_to_task(const struct arch_place *place, uintptr_t stack_low, uintptr_t stack_high)
{
	uintptr_t *address = (uintptr_t *)return_address_place(place);
	uintptr_t frame_pointer = place->frame_pointer;
	if (address && !is_in_stack((uintptr_t)address, sizeof(uintptr_t), stack_low, stack_high))
		return NULL;
	while (!address || (!arch_is_user_code(*address) && *address != (uintptr_t)arch_return_overflowed)) {
		if (address && is_growth_call(*address)) {
			address++; /* STACK_ENTRY() has no frame */
			continue;
		}
		/* Above the last one: a chain that turns back is damaged. */
		uintptr_t low = address ? (uintptr_t)(address + 1) : stack_low;
		if (!is_in_stack(frame_pointer, 2 * sizeof(uintptr_t), low, stack_high))
			return NULL;
		address = (uintptr_t *)frame_pointer + 1;
		frame_pointer = *(const uintptr_t *)frame_pointer;
	}
	return address;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
struct switch_notice {
	struct arch_context *from, *to;
	finalizer finalize;
	void *argument;
};

/* The notice lies on the stack that was left; that cannot be resumed before the finalizer has run. */
__attribute__((no_sanitize("address", "thread"))) static void finalize_noticed(struct task *left,
                                                                               void *notice_pointer)
{
	struct switch_notice notice = *(struct switch_notice *)notice_pointer;
#	ifdef __SANITIZE_ADDRESS__
	__sanitizer_finish_switch_fiber(notice.to->sanitizer_fake_stack, &notice.from->sanitizer_left_low,
	                                &notice.from->sanitizer_left_size);
#	endif
	notice.finalize(left, notice.argument);
}

__attribute__((no_sanitize("address", "thread"))) void
arch_context_switch_noticed(struct arch_context *from, struct arch_context *to, finalizer finalize,
                            struct task *left, void *argument, bool dying)
{
	struct switch_notice notice = {from, to, finalize, argument};
#	ifdef __SANITIZE_ADDRESS__
	__sanitizer_start_switch_fiber(dying ? NULL : &from->sanitizer_fake_stack, to->sanitizer_left_low,
	                               to->sanitizer_left_size);
#	else
	(void)dying;
	from->sanitizer_left_fiber = __tsan_get_current_fiber();
	__tsan_switch_to_fiber(to->sanitizer_left_fiber, 0);
#	endif
	context_switch(from, to, finalize_noticed, left, &notice);
}

static void finalize_context_nothing(struct task *left, void *argument)
{
	(void)left, (void)argument;
}

void arch_context_swap_noticed(struct arch_context *from, struct arch_context *to)
{
	arch_context_switch_noticed(from, to, finalize_context_nothing, NULL, NULL, false);
}

void task_yield(void)
{
	struct arch_switch chosen = arch_yield();
	if (chosen.from)
		arch_context_swap_noticed(chosen.from, chosen.to);
}
#endif

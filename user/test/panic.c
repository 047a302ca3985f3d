#include "kernel/panic.h"

#include <string.h>

#include "arch/arch.h"
#include "heddle/attributes.h"
#include "kernel/format.h"
#include "kernel/memory.h"
#include "user/test/test.h"

static bool text_begins(const char *text, const char *beginning)
{
	return strncmp(text, beginning, strlen(beginning)) == 0;
}

TEST(panic, describes_a_fault)
{
	char text[300];
	struct fault fault = {.what = "page fault",
	                      .has_address = true,
	                      .address = 0x1234,
	                      .access = "write",
	                      .place.stack_pointer = arch_frame_pointer()};

	panic_describe_fault(&fault, text, sizeof(text));
	CHECK(text_begins(text, "page fault at 0x0 (no known function), write of address 0x1234"));
	panic_describe_fault(&fault, text, 5);
	CHECK(strcmp(text, "page") == 0);
}

TEST(panic, describes_a_stack_overflow)
{
	char text[300];
	uintptr_t low, high;
	bool guarded;
	struct fault fault = {.what = "page fault", .has_address = true, .access = "write"};

	if (!panic_scheduler || !panic_scheduler->stack_bounds(arch_frame_pointer(), &low, &high, &guarded) ||
	    !guarded) {
		test_skip(test, "the stack of this task has no guard page");
		return;
	}
	fault.address = fault.place.stack_pointer = low - 8;
	panic_describe_fault(&fault, text, sizeof(text));
	CHECK(text_begins(text, "stack overflow of task "));
	fault.address = fault.place.stack_pointer = low - arch_stack_guard;
	panic_describe_fault(&fault, text, sizeof(text));
	CHECK(text_begins(text, "stack overflow of task "));
	fault.address = low - arch_stack_guard - 8;
	fault.place.stack_pointer = arch_frame_pointer();
	panic_describe_fault(&fault, text, sizeof(text));
	CHECK(text_begins(text, "page fault"));
}

static unsigned trace_lines;

HEDDLE_UNCOOPERATIVE_FUNCTION static void count_line(const char *format, ...)
{
	(void)format;
	trace_lines++;
}

/* Callers' frames matter; a damaged chain ends the trace. */
TEST(panic, traces_calls)
{
	uintptr_t low, high;
	bool guarded;
	uintptr_t frames[2][2] = {{(uintptr_t)frames[1], 1}, {(uintptr_t)frames[0], 2}};

	trace_lines = 0;
	struct arch_place place = {.instruction = 1, .frame_pointer = (uintptr_t)frames};
	panic_back_trace(&place, (uintptr_t)frames, (uintptr_t)(frames + 2), count_line);
	CHECK_EQUAL(trace_lines, 4);
	if (!panic_scheduler || !panic_scheduler->stack_bounds(arch_frame_pointer(), &low, &high, &guarded))
		return;
	trace_lines = 0;
	place = (struct arch_place){.frame_pointer = arch_frame_pointer()};
	panic_back_trace(&place, low, high, count_line);
	CHECK(trace_lines >= 2);
}

/* At the first instruction of a function its caller is only on the stack. */
TEST(panic, traces_the_caller_of_a_function_without_frame)
{
	uintptr_t stack[4] = {1, 0, 0, 0};
	struct arch_place place = {(uintptr_t)count_line, (uintptr_t)stack, (uintptr_t)&stack[1]};

	trace_lines = 0;
	panic_back_trace(&place, (uintptr_t)stack, (uintptr_t)(stack + 4), count_line);
	CHECK_EQUAL(trace_lines, 3);
}

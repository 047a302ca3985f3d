/*
 * From what the processor pushes at a fault to struct fault.
 */
#include "arch/bare/machine.h"
#include "arch/x86_64/instructions.h"

#define VECTOR_INVALID    6
#define VECTOR_PROTECTION 13
#define VECTOR_PAGE_FAULT 14

#define PAGE_FAULT_WRITE   (1u << 1)
#define PAGE_FAULT_EXECUTE (1u << 4)

/* As interrupts.asm pushes it, from the lowest address. */
struct fault_frame {
	uint64_t r15, r14, r13, r12, r11, r10, r9, r8, rbp, rdi, rsi, rdx, rcx, rbx, rax;
	uint64_t vector, error;
	uint64_t rip, cs, rflags, rsp, ss;
};

static const char *const names[32] = {
    [0] = "division by zero or overflow of a division",
    [1] = "debug exception",
    [3] = "breakpoint",
    [4] = "overflow",
    [5] = "bound range exceeded",
    [6] = "invalid instruction",
    [7] = "vector or x87 instruction while these are switched off",
    [8] = "double fault",
    [10] = "invalid task state segment",
    [11] = "segment not present",
    [12] = "stack segment fault (an address that is not canonical, through the stack or frame pointer)",
    [13] = "general protection fault (a privileged or malformed access, or an address that is not canonical)",
    [14] = "page fault",
    [16] = "x87 floating-point exception",
    [17] = "misaligned access",
    [18] = "machine check (the hardware reports an error of its own)",
    [19] = "vector floating-point exception",
    [20] = "virtualization exception",
    [21] = "control protection exception",
};

static const char *access_name(uint64_t error)
{
	if (error & PAGE_FAULT_EXECUTE)
		return "execute";
	return error & PAGE_FAULT_WRITE ? "write" : "read";
}

static void registers_copy(struct fault *fault, const struct fault_frame *frame)
{
	const struct {
		const char *name;
		uint64_t value;
	} registers[] = {
	    {"rax", frame->rax},     {"rbx", frame->rbx},       {"rcx", frame->rcx},
	    {"rdx", frame->rdx},     {"rsi", frame->rsi},       {"rdi", frame->rdi},
	    {"rbp", frame->rbp},     {"rsp", frame->rsp},       {"r8", frame->r8},
	    {"r9", frame->r9},       {"r10", frame->r10},       {"r11", frame->r11},
	    {"r12", frame->r12},     {"r13", frame->r13},       {"r14", frame->r14},
	    {"r15", frame->r15},     {"rip", frame->rip},       {"flags", frame->rflags},
	    {"error", frame->error}, {"cr2", control_read_2()}, {"cr3", control_read_3()},
	};
	_Static_assert(sizeof(registers) / sizeof(registers[0]) <=
	                   sizeof(fault->registers) / sizeof(fault->registers[0]),
	               "all registers fit");
	fault->register_count = sizeof(registers) / sizeof(registers[0]);
	for (unsigned i = 0; i < fault->register_count; i++) {
		fault->registers[i].name = registers[i].name;
		fault->registers[i].value = registers[i].value;
	}
}

/* attempt.asm */
extern const uintptr_t attempts[];
void attempt_failed(void);

/* Whether the instruction was only an attempt; then execution goes on where attempts fail. */
static bool attempt_end(struct fault_frame *frame)
{
	if (frame->vector != VECTOR_PROTECTION && frame->vector != VECTOR_INVALID)
		return false;
	for (const uintptr_t *attempt = attempts; *attempt; attempt++)
		if (frame->rip == *attempt) {
			frame->rip = (uintptr_t)attempt_failed;
			return true;
		}
	return false;
}

/* Called by interrupts.asm, which goes on where the result says; without an entry, where the frame says. */
struct fault_continuation fault_enter(struct fault_frame *frame);

struct fault_continuation fault_enter(struct fault_frame *frame)
{
	if (attempt_end(frame))
		return (struct fault_continuation){0};
	struct fault fault = {
	    .what = names[frame->vector] ? names[frame->vector] : "fault of an unknown kind",
	    .place.instruction = frame->rip,
	    .place.stack_pointer = frame->rsp,
	    .place.frame_pointer = frame->rbp,
	    .fatal = frame->vector == VECTOR_DOUBLE_FAULT || frame->vector == VECTOR_MACHINE_CHECK,
	    .details = frame->vector == VECTOR_MACHINE_CHECK ? machine_check_report : NULL,
	};
	if (frame->vector == VECTOR_PAGE_FAULT) {
		fault.has_address = true;
		fault.address = control_read_2();
		fault.access = access_name(frame->error);
	}
	registers_copy(&fault, frame);
	return fault_handle(&fault);
}

/*
 * Faults of the processor arrive as signals, on a stack of their own. In another program, one that ends no task is the
 * program's: its handler is called, or it ends by the signal, with a core file, as without Heddle.
 */
#include <signal.h>
#include <ucontext.h>

#include "arch/hosted/hosted.h"
#include "arch/hosted/sanitizer.h"
#include "arch/hosted/signals.h"
#include "kernel/command_line.h"
#include "kernel/panic.h"
#include "kernel/processor.h"

static const char *describe_signal(int signal, int code)
{
	switch (signal) {
	case SIGSEGV:
		return code == SEGV_ACCERR ? "access that the page forbids" : "access to unmapped memory";
	case SIGBUS:
		return "access to memory that is not there or not aligned";
	case SIGFPE:
		return code == FPE_INTDIV ? "division by zero" : "arithmetic fault";
	default:
		return "illegal instruction";
	}
}

static void fill_registers(struct fault *fault, const greg_t *registers)
{
	static const struct {
		const char *name;
		int place;
	} list[] = {{"rax", REG_RAX}, {"rbx", REG_RBX}, {"rcx", REG_RCX},  {"rdx", REG_RDX}, {"rsi", REG_RSI},
	            {"rdi", REG_RDI}, {"rbp", REG_RBP}, {"rsp", REG_RSP},  {"r8", REG_R8},   {"r9", REG_R9},
	            {"r10", REG_R10}, {"r11", REG_R11}, {"r12", REG_R12},  {"r13", REG_R13}, {"r14", REG_R14},
	            {"r15", REG_R15}, {"rip", REG_RIP}, {"flags", REG_EFL}};
	fault->register_count = sizeof(list) / sizeof(list[0]);
	for (unsigned i = 0; i < fault->register_count; i++) {
		fault->registers[i].name = list[i].name;
		fault->registers[i].value = (uint64_t)registers[list[i].place];
	}
}

/* The frames of the dead task are left without their ends, also those on the processor's stack. */
static void clean_stacks(uintptr_t stack_pointer)
{
	const struct processor *processor = processor_current();
	uintptr_t low, high;
	bool guarded;
	if (!__asan_unpoison_memory_region)
		return;
	sanitizer_clean(processor->stack_low, processor->stack_size);
	if (panic_scheduler->stack_bounds(stack_pointer - 1, &low, &high, &guarded))
		sanitizer_clean((void *)low, high - low);
}

bool hosted_fault(const siginfo_t *information, ucontext_t *context)
{
	greg_t *registers = context->uc_mcontext.gregs;
	int signal = information->si_signo;
	if (!hosted_signal_is_fault(information))
		return false;
	if (hosted_is_embedded() && command_line.fault == FAULT_ENDS_MACHINE && hosted_signal_has_handler(signal))
		return false;
	struct fault fault = {
	    .what = describe_signal(signal, information->si_code),
	    .place.instruction = (uintptr_t)registers[REG_RIP],
	    .place.stack_pointer = (uintptr_t)registers[REG_RSP],
	    .place.frame_pointer = (uintptr_t)registers[REG_RBP],
	    .has_address = signal == SIGSEGV || signal == SIGBUS,
	    .address = (uintptr_t)information->si_addr,
	    .is_hosts = hosted_is_embedded(),
	};
	if (signal == SIGSEGV)
		fault.access = registers[REG_ERR] & 16 ? "execute" : registers[REG_ERR] & 2 ? "write" : "read";
	fill_registers(&fault, registers);
	struct fault_continuation next = fault_handle(&fault);
	if (!next.entry)
		return !next.stack_pointer;
	clean_stacks((uintptr_t)next.stack_pointer);
	registers[REG_RIP] = (greg_t)next.entry;
	registers[REG_RSP] = (greg_t)next.stack_pointer - 8; /* as if called */
	registers[REG_RBP] = 0;
	return true;
}

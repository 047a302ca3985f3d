/*
 * Faults come as signals on a stack of their own; a signal is also how processors are stopped and examined.
 */
#include <errno.h>
#include <signal.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#	include <sanitizer/asan_interface.h>
#endif

#include "arch/hosted/hosted.h"
#include "kernel/panic.h"
#include "sched/ready.h"

#define STOP_SIGNAL      SIGUSR1
#define EXAMINE_SIGNAL   SIGUSR2
#define INTERRUPT_SIGNAL SIGURG /* which nobody minds by default */
#define STOP_PATIENCE    100    /* milliseconds */

static _Atomic unsigned stopped;

/* -------------------------------------------------------------------------------------------- faults -- */

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

static void on_fault(int signal, siginfo_t *information, void *context)
{
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
	struct fault fault = {
	    .what = describe_signal(signal, information->si_code),
	    .place.instruction = (uintptr_t)registers[REG_RIP],
	    .place.stack_pointer = (uintptr_t)registers[REG_RSP],
	    .place.frame_pointer = (uintptr_t)registers[REG_RBP],
	    .has_address = signal == SIGSEGV || signal == SIGBUS,
	    .address = (uintptr_t)information->si_addr,
	};
	if (signal == SIGSEGV)
		fault.access = registers[REG_ERR] & 16 ? "execute" : registers[REG_ERR] & 2 ? "write" : "read";
	fill_registers(&fault, registers);
	struct fault_continuation next = fault_handle(&fault);
#ifdef __SANITIZE_ADDRESS__
	/* The frames of the dead task are left without their epilogues. */
	uintptr_t low, high;
	bool guarded;
	if (panic_scheduler->stack_bounds((uintptr_t)next.stack_pointer - 1, &low, &high, &guarded))
		__asan_unpoison_memory_region((void *)low, high - low);
#endif
	registers[REG_RIP] = (greg_t)next.entry;
	registers[REG_RSP] = (greg_t)next.stack_pointer - 8; /* as if called */
	registers[REG_RBP] = 0;
}

/* ---------------------------------------------------------------------------------- stop and examine -- */

static void on_stop(int signal)
{
	(void)signal;
	atomic_fetch_add_explicit(&stopped, 1, memory_order_relaxed);
	for (;;)
		pause();
}

static void on_examine(int signal, siginfo_t *information, void *context)
{
	const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
	(void)signal;
	(void)information;
	const struct arch_place place = {.instruction = (uintptr_t)registers[REG_RIP],
	                                 .stack_pointer = (uintptr_t)registers[REG_RSP],
	                                 .frame_pointer = (uintptr_t)registers[REG_RBP]};
	uintptr_t limit = processor_interrupt_begin();
	panic_report_place(&place);
	processor_interrupt_end(limit);
}

void arch_processor_examine(struct processor *processor)
{
	pthread_kill(processor->arch->thread, EXAMINE_SIGNAL);
}

/* A sanitizer's own code is called from all of ours, and is none of it: what was interrupted there may be in
 * the middle of anything. Then tasks are only shared where their processor comes to the scheduler. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#	define INTERRUPTS false
#else
#	define INTERRUPTS true
#endif

extern const char _start[], etext[];

/* Of the program itself: a library may have been called by our own code, in the middle of a queue's operation
 * even (memset). */
static bool is_task_code(uintptr_t address)
{
	return address >= (uintptr_t)_start && address < (uintptr_t)etext && arch_is_user_code(address);
}

static void on_interrupt(int signal, siginfo_t *information, void *context)
{
	int error = errno;
	uintptr_t limit = processor_interrupt_begin();
	(void)signal;
	(void)information;
	if (INTERRUPTS && is_task_code((uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP]))
		ready_interrupted();
	processor_interrupt_end(limit);
	errno = error;
}

void arch_processor_interrupt(struct processor *processor)
{
	pthread_kill(processor->arch->thread, INTERRUPT_SIGNAL);
}

unsigned arch_processors_stop(void)
{
	for (unsigned index = 0; index < processor_count; index++)
		if (&processors[index] != processor_current() && processors[index].arch)
			pthread_kill(processors[index].arch->thread, STOP_SIGNAL);
	for (unsigned waited = 0; waited < STOP_PATIENCE; waited++) {
		if (atomic_load_explicit(&stopped, memory_order_relaxed) + 1 >= processor_count)
			break;
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	}
	unsigned answered = atomic_load_explicit(&stopped, memory_order_relaxed) + 1;
	return answered < processor_count ? processor_count - answered : 0;
}

/* ---------------------------------------------------------------------------------------------------- */

static void handle(int signal, void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_ONSTACK | flags};
	sigemptyset(&action.sa_mask);
	sigaction(signal, &action, NULL);
}

void hosted_signals_start(void)
{
	atomic_store_explicit(&stopped, 0, memory_order_relaxed);
	/* SA_NODEFER: a fault handler may never return, and the next fault of this thread must still come. */
	handle(SIGSEGV, on_fault, SA_NODEFER);
	handle(SIGBUS, on_fault, SA_NODEFER);
	handle(SIGFPE, on_fault, SA_NODEFER);
	handle(SIGILL, on_fault, SA_NODEFER);
	handle(EXAMINE_SIGNAL, on_examine, SA_NODEFER);
	handle(INTERRUPT_SIGNAL, on_interrupt, SA_RESTART);
	struct sigaction stop = {.sa_handler = on_stop, .sa_flags = SA_ONSTACK};
	sigemptyset(&stop.sa_mask);
	sigaction(STOP_SIGNAL, &stop, NULL);
}

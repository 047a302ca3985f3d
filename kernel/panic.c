#include "kernel/panic.h"

#include <stdatomic.h>

#include "kernel/console.h"
#include "kernel/format.h"
#include "kernel/processor.h"

#define BACK_TRACE_LINES 32
#define BACK_TRACE_SOME  16    /* addresses that are looked for at once */
#define BACK_TRACE_STEPS 20000 /* how often */
#define REGISTERS_A_LINE 4

const struct panic_scheduler *panic_scheduler;

/* The processor that reports, its index + 1; 0: none yet. Changes once. */
static _Atomic unsigned reporter;

/* Used by the reporter only: how often it has come here, and the first reason. */
static unsigned depth;
static const char *reason = "the reason is not recorded yet";

struct stack {
	bool of_task; /* belongs to what the scheduler runs; else it is the processor's own, or unknown */
	uintptr_t low, high;
	bool guarded;
};

static bool guard_contains(const struct stack *stack, uintptr_t address)
{
	return stack->guarded && address - (stack->low - arch_stack_guard) < arch_stack_guard;
}

/* Including the guard below, where there is one: an overflow lands there. */
static bool stack_contains(const struct stack *stack, uintptr_t address)
{
	return address - stack->low < stack->high - stack->low || guard_contains(stack, address);
}

/* This processor's stack with the address in it; empty where that is unknown. */
static struct stack stack_of(uintptr_t address)
{
	const struct processor *processor = processor_current();
	struct stack stack = {.of_task = true};

	if (panic_scheduler && panic_scheduler->stack_bounds(address, &stack.low, &stack.high, &stack.guarded))
		return stack;
	stack.of_task = false;
	stack.low = (uintptr_t)processor->stack_low;
	stack.high = stack.low + processor->stack_size;
	stack.guarded = true;
	if (stack.low && stack_contains(&stack, address))
		return stack;
	return (struct stack){.low = address, .high = address};
}

static void describe_task(char *text, size_t size)
{
	if (panic_scheduler)
		panic_scheduler->describe(text, size);
	else
		format_text(text, size, "no task, the scheduler does not run");
}

/* `before` is 1 for a return address: the call that counts lies before it, and may end its function. */
static void describe_place(uintptr_t address, unsigned before, char *text, size_t size)
{
	size_t offset = 0;
	const char *name = arch_symbol(address - before, &offset);
	if (name)
		format_text(text, size, "%s+0x%zx", name, offset + before);
	else
		format_text(text, size, "no known function");
}

/* Returns the length; 0 where it is no overflow. */
static size_t describe_overflow(const struct fault *fault, char *text, size_t size)
{
	struct stack stack = stack_of(fault->place.stack_pointer);
	char owner[100] = "the processor itself";

	if (!fault->has_address || !guard_contains(&stack, fault->address))
		return 0;
	if (stack.of_task)
		describe_task(owner, sizeof(owner));
	return format_text(text, size, "stack overflow of %s (%lu bytes): ", owner, stack.high - stack.low);
}

void panic_describe_fault(const struct fault *fault, char *text, size_t size)
{
	char place[100];
	size_t length = describe_overflow(fault, text, size);

	describe_place(fault->place.instruction, 0, place, sizeof(place));
	if (length < size)
		length += format_text(text + length, size - length, "%s at 0x%lx (%s)", fault->what,
		                      fault->place.instruction, place);
	if (fault->has_address && length < size)
		format_text(text + length, size - length, ", %s of address 0x%lx",
		            fault->access ? fault->access : "access", fault->address);
}

/* The lines of a back trace, with the last one kept until another address follows. */
struct back_trace {
	void (*line)(const char *format, ...);
	uintptr_t address; /* 0: none */
	size_t times, lines;
};

static void back_trace_line(struct back_trace *trace, uintptr_t address, unsigned before)
{
	char place[100];
	describe_place(address, before, place, sizeof(place));
	if (trace->times > 1)
		trace->line("  0x%016lx %s, %zu times", address, place, trace->times);
	else
		trace->line("  0x%016lx %s", address, place);
}

/* A recursion is one line. The last address is followed by 0. */
static void back_trace_add(struct back_trace *trace, uintptr_t address)
{
	if (address == trace->address) {
		trace->times++;
		return;
	}
	if (trace->address && trace->lines++ < BACK_TRACE_LINES)
		back_trace_line(trace, trace->address, 1);
	trace->address = address;
	trace->times = 1;
}

/* The next few addresses of the stack with these bounds. False: none is left there. */
static bool back_trace_some(struct back_trace *trace, struct arch_place *at, const struct stack *stack)
{
	uintptr_t addresses[BACK_TRACE_SOME];
	size_t count = arch_back_trace(at, stack->low, stack->high, addresses, BACK_TRACE_SOME);
	for (size_t i = 0; i < count; i++)
		back_trace_add(trace, addresses[i]);
	return count + 1 >= BACK_TRACE_SOME; /* it keeps room for two */
}

void panic_back_trace(const struct arch_place *place, uintptr_t stack_low, uintptr_t stack_high,
                      void (*line)(const char *format, ...))
{
	struct back_trace trace = {.line = line, .times = 1};
	struct stack stack = {.low = stack_low, .high = stack_high};
	struct arch_place at = *place;
	bool more = true;

	line("back trace, innermost first:");
	if (place->instruction)
		back_trace_line(&trace, place->instruction, 0);
	/* Pieces of a stack lie anywhere, so a damaged chain may lead in a circle: hence a bound. */
	for (unsigned i = 0; i < BACK_TRACE_STEPS && more && trace.lines < BACK_TRACE_LINES; i++) {
		if (back_trace_some(&trace, &at, &stack))
			continue;
		uintptr_t low = stack.low, high = stack.high;
		more = panic_scheduler && !(at.frame_pointer >= low && at.frame_pointer < high) &&
		       panic_scheduler->stack_bounds(at.frame_pointer, &stack.low, &stack.high, &stack.guarded);
	}
	more |= trace.lines == BACK_TRACE_LINES;
	back_trace_add(&trace, 0);
	if (more)
		line("  ... and further up");
}

/* Only the first processor gets past this; the others wait until it stops them. It comes here again if the report
 * itself fails: then one line says what is known, and if not even that works, nothing more is printed. */
static void become_reporter(const char *what)
{
	unsigned self = processor_current()->index + 1;
	unsigned first = 0;

	/* 0 -> self; relaxed: nothing is handed over. */
	if (!atomic_compare_exchange_strong_explicit(&reporter, &first, self, memory_order_relaxed,
	                                             memory_order_relaxed) &&
	    first != self)
		for (;;)
			arch_idle(UINT64_MAX);
	depth++;
	if (depth == 2)
		console_panic_line("panic: %s; the report of it failed: %s", reason, what);
	if (depth >= 2)
		arch_shutdown(ARCH_OUTCOME_PANIC);
}

static void panic_report_stack(uintptr_t stack_pointer, const struct stack *stack)
{
	static char task[120]; /* the stack may be all but used up */
	const struct processor *processor = processor_current();

	describe_task(task, sizeof(task));
	console_panic_line("processor %u (hardware id %u) of %u, running %s", processor->index,
	                   processor->hardware_id, processor_count, task);
	if (stack->low < stack->high)
		console_panic_line("stack 0x%lx to 0x%lx (%s), %ld of %lu bytes used", stack->low, stack->high,
		                   stack->of_task ? "the task's" : "the processor's",
		                   (long)(stack->high - stack_pointer), stack->high - stack->low);
	else
		console_panic_line("stack pointer 0x%lx: in no known stack", stack_pointer);
}

void panic_registers(const struct fault *fault, void (*line)(const char *format, ...))
{
	char text[REGISTERS_A_LINE * 40];
	size_t length = 0;

	for (unsigned i = 0; i < fault->register_count; i++) {
		length += format_text(text + length, sizeof(text) - length, "  %-6s %016lx", fault->registers[i].name,
		                      (unsigned long)fault->registers[i].value);
		if ((i + 1) % REGISTERS_A_LINE == 0 || i + 1 == fault->register_count) {
			line("%s", text);
			length = 0;
		}
	}
}

void panic_report_place(const struct arch_place *place)
{
	char task[120];
	struct stack stack = stack_of(place->stack_pointer);

	describe_task(task, sizeof(task));
	log_warning("processor %u runs %s", processor_current()->index, task);
	panic_back_trace(place, stack.low, stack.high, log_warning);
}

static void panic_report(const char *what, const struct fault *fault, const struct arch_place *place)
{
	reason = what;
	unsigned running = arch_processors_stop();
	struct stack stack = stack_of(place->stack_pointer);

	console_panic_start();
	console_panic_line("panic: %s", what);
	panic_report_stack(place->stack_pointer, &stack);
	if (fault && fault->details)
		fault->details(console_panic_line);
	if (fault)
		panic_registers(fault, console_panic_line);
	panic_back_trace(place, stack.low, stack.high, console_panic_line);
	if (running > 0)
		console_panic_line("%u processors did not stop when they were told to", running);
}

struct message {
	const char *format;
	va_list *arguments;
	struct arch_place place;
};

static void panic_now(void *argument)
{
	static char text[CONSOLE_LINE_MAXIMUM];
	struct message *message = argument;

	become_reporter(message->format);
	format_arguments(text, sizeof(text), message->format, *message->arguments);
	panic_report(text, NULL, &message->place);
	arch_shutdown(ARCH_OUTCOME_PANIC);
}

/* A task may have too little stack left for this. */
ARCH_WITHOUT_VECTORS _Noreturn void panic(const char *format, ...)
{
	const uintptr_t frame = arch_frame_pointer();
	va_list arguments;
	struct message message = {format, &arguments, {.stack_pointer = frame, .frame_pointer = frame}};

	va_start(arguments, format);
	arch_call_on_processor_stack(panic_now, &message);
	arch_shutdown(ARCH_OUTCOME_PANIC);
}

struct fault_continuation fault_handle(const struct fault *fault)
{
	static char text[CONSOLE_LINE_MAXIMUM];
	struct fault_continuation continuation;

	const uintptr_t instruction = fault->place.instruction;

	uintptr_t limit = processor_interrupt_begin();
	if (panic_scheduler && panic_scheduler->stack_lend(fault)) {
		processor_interrupt_end(limit);
		return (struct fault_continuation){0};
	}
	/* From here on the interrupted code is gone for good: what goes on starts with an empty stack. */
	if (!fault->fatal && (arch_is_user_code(instruction) || arch_is_growth_code(instruction)) &&
	    panic_scheduler && panic_scheduler->task_fault(fault, &continuation))
		return continuation;
	become_reporter(fault->what);
	panic_describe_fault(fault, text, sizeof(text));
	panic_report(text, fault, &fault->place);
	if (fault->is_hosts)
		return (struct fault_continuation){NULL, (void *)fault->place.stack_pointer};
	arch_shutdown(ARCH_OUTCOME_PANIC);
}

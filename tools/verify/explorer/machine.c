#include "machine_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "kernel/processor.h"

void coroutine_switch(void **save, void *load);

/* The part of processors[] (which is declared larger) that a case can have. */
struct processor explored_processors[EXPLORE_PROCESSORS] __asm__("processors") EXPLORED;
unsigned processor_count;

struct virtual_processor *running;
struct virtual_processor virtual[EXPLORE_PROCESSORS];
unsigned char stacks[EXPLORE_STACKS][STACK_SIZE] __attribute__((aligned(64)));
void *stack_pointers[EXPLORE_STACKS];
static void *explorer_stack_pointer;
static uint64_t reply;
static char violation[512];

static const struct explore_case *current_case;
static unsigned set_up_processor;

/* ---- virtual processors ---- */

unsigned explore_processor(void)
{
	return running ? (unsigned)(running - virtual) : set_up_processor;
}

struct processor *arch_processor(void)
{
	return &processors[explore_processor()];
}

struct scheduler *arch_scheduler(void)
{
	return arch_processor()->scheduler;
}

bool machine_is_stack(uint64_t address, size_t size)
{
	return address >= (uintptr_t)stacks && address + size <= (uintptr_t)stacks + sizeof stacks;
}

/* On a stack everything above the pointer is in use; on the running one, everything above this function. On an empty
 * stack nothing is in use. */
bool machine_is_left(uint64_t address)
{
	if (!machine_is_stack(address, 1))
		return false;
	uint64_t stack = (address - (uintptr_t)stacks) / STACK_SIZE;
	const void *top = stack == running->stack ? __builtin_frame_address(0) : stack_pointers[stack];
	return !top || (uintptr_t)top > address;
}

bool explore_has_ended(unsigned processor)
{
	return virtual[processor].request.kind == REQUEST_END;
}

uint64_t machine_request(const struct request *request)
{
	running->request = *request;
	memory_request_made();
	coroutine_switch(&stack_pointers[running->stack], explorer_stack_pointer);
	return reply;
}

void explore_fail(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(violation, sizeof violation, format, arguments);
	va_end(arguments);
	if (!running) {
		fprintf(stderr, "in the set-up of case %s: %s\n", current_case->name, violation);
		exit(2);
	}
	machine_request(&(struct request){.kind = REQUEST_END});
	abort();
}

const char *machine_violation(void)
{
	return *violation ? violation : NULL;
}

static void processor_begin(void)
{
	current_case->program(current_case, explore_processor());
	machine_request(&(struct request){.kind = REQUEST_END});
	abort();
}

/* What is below the stack pointer is dead: clear it, so that states differ only in what matters, and an uninitialized
 * variable has the same value each time. */
static void stack_clear_below(uint64_t stack)
{
	memset(stacks[stack], 0, (size_t)((unsigned char *)stack_pointers[stack] - stacks[stack]));
}

static void processor_resume(struct virtual_processor *processor)
{
	stack_clear_below(processor->stack);
	stack_written((unsigned)processor->stack);
	running = processor;
	coroutine_switch(&explorer_stack_pointer, stack_pointers[processor->stack]);
	running = NULL;
	memory_clear_ignored();
	if ((unsigned char *)stack_pointers[processor->stack] < stacks[processor->stack] + 256)
		snprintf(violation, sizeof violation, "a stack is too small");
}

void explore_stack_begin(unsigned stack, void (*entry)(void))
{
	/* Six registers, the address where to begin, and a return address that aligns the stack as a call would. */
	void **top = (void **)(stacks[stack] + STACK_SIZE) - 8;
	memset(top, 0, 8 * sizeof *top);
	top[6] = (void *)entry;
	stack_written(stack);
	stack_pointers[stack] = top;
}

void explore_stack_end(unsigned stack)
{
	stack_pointers[stack] = NULL;
	stack_written(stack);
}

unsigned explore_stack(void)
{
	return (unsigned)running->stack;
}

void explore_stack_switch(unsigned stack)
{
	uint64_t left = running->stack;
	for (unsigned i = 0; i < current_case->processors; i++)
		if (virtual[i].stack == stack)
			explore_fail("processor %u goes on with a stack that processor %u is on", explore_processor(), i);
	if (stack >= sizeof stack_pointers / sizeof *stack_pointers)
		explore_fail("processor %u goes on with what is no task", explore_processor());
	if (!stack_pointers[stack])
		explore_fail("processor %u goes on with a stack that nothing is on", explore_processor());
	stack_clear_below(stack);
	stack_written(stack);
	running->stack = stack;
	coroutine_switch(&stack_pointers[left], stack_pointers[stack]);
}

void machine_start(const struct explore_case *explored)
{
	memset(virtual, 0, sizeof virtual);
	memset(stacks, 0, sizeof stacks);
	*violation = '\0';
	blocks_forget();
	memory_start();
	machine_written();
	memset(stack_pointers, 0, sizeof stack_pointers);
	print_names_clear();
	current_case = explored;
	processor_count = explored->processors;
	set_up_processor = 0;
	for (unsigned i = 0; i < EXPLORE_PROCESSORS; i++) {
		processors[i].self = &processors[i];
		processors[i].index = i;
	}
	explored->set_up(explored);
	for (unsigned i = 0; i < explored->processors; i++) {
		virtual[i].stack = i;
		explore_stack_begin(i, processor_begin);
	}
	for (unsigned i = 0; i < explored->processors; i++)
		processor_resume(&virtual[i]);
}

void explore_set_up_as(unsigned processor)
{
	set_up_processor = processor;
}

/* ---- actions ---- */

static void drain(unsigned index)
{
	struct virtual_processor *processor = &virtual[index];
	struct buffered_store store = processor->buffer[0];
	processor->buffered--;
	memmove(&processor->buffer[0], &processor->buffer[1], (MACHINE_BUFFER - 1) * sizeof store);
	memset(&processor->buffer[processor->buffered], 0, sizeof store);
	if (machine_is_free(store.address, store.size))
		snprintf(violation, sizeof violation, "a store of processor %u reaches %s, which was given back",
		         index, explore_place_of(store.address));
	memory_write(store.address, (unsigned)store.size, store.value);
	print_store(index, true, &store, 0);
}

static void drain_private(unsigned index)
{
	struct virtual_processor *processor = &virtual[index];
	while (processor->buffered > 0 && memory_is_owned(processor->buffer[0].address, index))
		drain(index);
}

void machine_buffer(uint64_t address, unsigned size, uint64_t value, uint64_t where)
{
	struct buffered_store *store = &running->buffer[running->buffered++];
	*store = (struct buffered_store){address, value, size};
	print_store(explore_processor(), false, store, where);
	machine_is_private(address);
	drain_private(explore_processor());
}

bool machine_buffered(uint64_t address, unsigned size, uint64_t *value)
{
	for (uint64_t i = running->buffered; i-- > 0;) {
		struct buffered_store *store = &running->buffer[i];
		if (address + size <= store->address || store->address + store->size <= address)
			continue;
		if (address != store->address || size != store->size)
			explore_fail("an access overlaps part of a buffered store, which the explorer does not model");
		*value = store->value;
		return true;
	}
	return false;
}

static bool is_settled(void *self)
{
	for (unsigned i = 0; i < EXPLORE_PROCESSORS; i++)
		if (&virtual[i] != self && virtual[i].buffered > 0)
			return false;
	return true;
}

void explore_settle(void)
{
	explore_wait(is_settled, running);
}

static bool is_drained(void *self)
{
	return ((struct virtual_processor *)self)->buffered == 0;
}

void explore_drain(void)
{
	explore_wait(is_drained, running);
}

bool machine_can(unsigned index, enum machine_action action)
{
	const struct virtual_processor *processor = &virtual[index];
	if (action == MACHINE_DRAIN)
		return processor->buffered > 0;
	switch (processor->request.kind) {
	case REQUEST_END:
		return false;
	case REQUEST_WAIT:
		return processor->request.ready(processor->request.argument);
	case REQUEST_STORE:
		return processor->buffered < MACHINE_BUFFER;
	case REQUEST_LOCKED:
	case REQUEST_FENCE:
		return processor->buffered == 0;
	default:
		return true;
	}
}

static void step(unsigned index)
{
	struct request request = virtual[index].request;
	reply = 0;
	if (request.address && machine_is_free(request.address, request.size))
		snprintf(violation, sizeof violation, "processor %u comes to %s, which was given back", index,
		         explore_place_of(request.address));
	if (request.kind == REQUEST_LOAD)
		reply = memory_read(request.address, request.size);
	else if (request.kind == REQUEST_LOCKED)
		reply = memory_locked(&request);
	print_request(index, &request, reply);
	processor_resume(&virtual[index]);
}

void machine_do(unsigned index, enum machine_action action)
{
	if (action == MACHINE_DRAIN) {
		drain(index);
		drain_private(index);
	} else {
		step(index);
	}
}

static bool is_plain(const struct request *request)
{
	return request->kind == REQUEST_READ || request->kind == REQUEST_WRITE;
}

static bool is_conflict(const struct request *a, const struct request *b)
{
	return is_plain(a) && is_plain(b) && (a->kind == REQUEST_WRITE || b->kind == REQUEST_WRITE) &&
	       a->address < b->address + b->size && b->address < a->address + a->size;
}

const char *machine_race(void)
{
	for (unsigned i = 0; i < current_case->processors; i++)
		for (unsigned j = i + 1; j < current_case->processors; j++)
			if (is_conflict(&virtual[i].request, &virtual[j].request)) {
				snprintf(violation, sizeof violation,
				         "data race: processors %u and %u are both about to access %s", i, j,
				         explore_name_of(virtual[i].request.address));
				return violation;
			}
	return NULL;
}

void arch_call_on_processor_stack(void (*function)(void *), void *argument)
{
	function(argument);
}

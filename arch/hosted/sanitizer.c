/*
 * What is told to the address sanitizer, if the program is compiled with it; the library is not. The sanitizer takes a
 * thread for being on one stack; on another it names no variables, sees no callers, and does not know which frames an
 * exception or a longjmp() leaves. So that is state of a thread that each task keeps (sched/control.h). And the leak
 * sanitizer looks for pointers on stacks.
 *
 * Heddle's own sanitized builds tell of each switch instead, where it is (../x86_64/context.c).
 */
#include "arch/hosted/sanitizer.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "arch/x86_64/generator.h"
#include "kernel/memory.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#	define TELLS false
#else
#	define TELLS true
#endif

#define WEAK __attribute__((weak))

WEAK void __sanitizer_start_switch_fiber(void **fake_stack, const void *low, size_t bytes);
WEAK void __sanitizer_finish_switch_fiber(void *fake_stack, const void **low_before, size_t *bytes_before);
WEAK void __lsan_register_root_region(const void *low, size_t bytes);
WEAK void __lsan_unregister_root_region(const void *low, size_t bytes);

static bool is_told(void)
{
	return TELLS && __sanitizer_start_switch_fiber && __sanitizer_finish_switch_fiber;
}

/* Returns the stack before. There is no other thread to switch to, so all is done at once, and the frames that the
 * sanitizer may keep elsewhere stay with the thread. The sanitizer's code runs amid a switch, and no request may take
 * it for a task's (requests.c): so there is no stack limit. */
static struct hosted_bounds tell(struct hosted_bounds stack)
{
	struct hosted_bounds before = stack; /* of a thread that the sanitizer does not know */
	void *fake_stack = NULL;
	uintptr_t limit = processor_interrupt_begin();
	__sanitizer_start_switch_fiber(&fake_stack, stack.low, stack.size);
	__sanitizer_finish_switch_fiber(fake_stack, &before.low, &before.size);
	processor_interrupt_end(limit);
	return before;
}

uint8_t arch_stack_begin(void *stack_low, size_t stack_size)
{
	if (!is_told())
		return 0;
	sanitizer_clean(stack_low, stack_size);
	return ARCH_KEEPS_STACK;
}

void sanitizer_enter(struct arch_processor *host)
{
	uintptr_t low, high;
	generator_stack_next(&low, &high);
	host->stack = tell((struct hosted_bounds){(void *)low, high - low});
}

void sanitizer_leave(const struct arch_processor *host)
{
	tell(host->stack);
}

static bool is_scanned(void)
{
	return TELLS && __lsan_register_root_region && __lsan_unregister_root_region;
}

bool sanitizer_scan(const void *low, size_t bytes)
{
	if (is_scanned())
		__lsan_register_root_region(low, bytes);
	return is_scanned();
}

void sanitizer_scan_end(const void *low, size_t bytes)
{
	__lsan_unregister_root_region(low, bytes);
}

#define PAGES_AT_ONCE 1024

static struct hosted_bounds memory; /* the machine's, if one runs */

static void scan_runs(const char *low, const unsigned char *touched, size_t pages)
{
	for (size_t page = 0; page < pages; page++) {
		size_t first = page;
		while (page < pages && (touched[page] & 1))
			page++;
		if (page > first)
			sanitizer_scan(low + first * PAGE_SIZE, (page - first) * PAGE_SIZE);
	}
}

/* The leak sanitizer reads all that it is told of. Most of the memory was never touched, and would take seconds. */
static void scan_touched(void)
{
	unsigned char touched[PAGES_AT_ONCE];
	const char *low = memory.low;
	for (size_t pages, left = memory.size / PAGE_SIZE; left > 0; left -= pages, low += pages * PAGE_SIZE) {
		pages = left < PAGES_AT_ONCE ? left : PAGES_AT_ONCE;
		if (mincore((void *)low, pages * PAGE_SIZE, touched) == 0)
			scan_runs(low, touched, pages);
	}
}

void sanitizer_scan_at_exit(const void *low, size_t bytes)
{
	static bool registered;
	memory = (struct hosted_bounds){low, bytes};
	if (!registered && is_scanned())
		registered = atexit(scan_touched) == 0;
}

/* ----------------------------------------------------------------------------------------- generators -- */

static struct hosted_bounds bounds_of(const struct generator_resumer *resumer)
{
	return (struct hosted_bounds){(const void *)resumer->low, (uintptr_t)(resumer + 1) - resumer->low};
}

intptr_t generator_switch_in_told(struct generator_state *state, struct generator_resumer *resumer)
{
	if (!is_told())
		return generator_jump_in(state, resumer);
	struct hosted_bounds before = tell(bounds_of(resumer));
	intptr_t value = generator_jump_in(state, resumer);
	tell(before); /* perhaps in another thread */
	return value;
}

void generator_stack_clean(const struct generator_resumer *resumer)
{
	sanitizer_clean(bounds_of(resumer).low, bounds_of(resumer).size);
}

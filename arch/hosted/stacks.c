/*
 * Whole stacks with guards. They are cut, from below, out of a range of inaccessible addresses:
 *
 *     | guard | stack | guard | stack | guard ..     not used yet     |
 *     start                           start + used                    start + size
 *
 * A stack stays there, with its guard, until everything is given back. It has one page more than its block of memory,
 * so that its colour takes nothing off the requested size. The block itself lies unused as long as the machine runs,
 * as payment: so memory stays accounted for. The stack is not placed in the block, because the pages there are large
 * ones, which a guard in the middle would split.
 *
 * From 6.13 on, Linux marks the pages of a guard. Before that, each stack and each guard is a mapping of its own, and
 * their number is limited (vm.max_map_count); half of these are left to the program. Further stacks lie in
 * their block and have no guard, only the canary.
 *
 * | operation      | progress  | takes effect               |
 * |----------------|-----------|----------------------------|
 * | arch_stack_map | wait-free | at the additions to `used` |
 */
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>

#include "arch/arch.h"
#include "arch/hosted/hosted.h"
#include "arch/hosted/sanitizer.h"
#include "arch/hosted/system_call.h"
#include "kernel/console.h"
#include "kernel/memory.h"

/* Costs only addresses. A larger frame may reach beyond it. */
#define GUARD ((size_t)65536)

#define RANGE_LARGEST  ((size_t)1 << 38)
#define RANGE_SMALLEST ((size_t)1 << 24)

#define MAPPINGS_DEFAULT 65530
#define MAPPINGS_A_STACK 2
#define MAPPINGS_SHARE   2 /* the part of all mappings that stacks may have */

#ifndef MADV_GUARD_INSTALL
#	define MADV_GUARD_INSTALL 102
#	define MADV_GUARD_REMOVE  103
#endif

const size_t arch_stack_guard = GUARD;

/* Only Heddle's own programs are built with sanitizers. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
const bool arch_has_foreign_code = false;
#else
const bool arch_has_foreign_code = true;
#endif

static char *start;
static size_t size; /* 0: no range */
static unsigned long mapped_maximum;
static _Atomic size_t used;
static atomic_ulong mapped; /* stacks with mappings of their own */
static atomic_bool refused; /* a stack has no guard, and that was logged */
static int protection;
static bool marks;   /* the host marks the pages of guards */
static bool scanned; /* the leak sanitizer looks there, and may not find guards in readable memory */

static unsigned long mappings_maximum(void)
{
	unsigned long maximum;
	FILE *file = fopen("/proc/sys/vm/max_map_count", "r");
	if (!file || fscanf(file, "%lu", &maximum) != 1)
		maximum = MAPPINGS_DEFAULT;
	if (file)
		fclose(file);
	return maximum;
}

static int find_executable(struct dl_phdr_info *object, size_t bytes, void *found)
{
	(void)bytes;
	for (size_t i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &object->dlpi_phdr[i];
		if (header->p_type == PT_GNU_STACK && (header->p_flags & PF_X))
			*(int *)found |= PROT_EXEC;
	}
	return 0;
}

int hosted_stack_protection(void)
{
	int found = PROT_READ | PROT_WRITE;
	dl_iterate_phdr(find_executable, &found);
	return found;
}

/* Unused addresses; NULL: none are left. */
static char *take_addresses(size_t bytes)
{
	/* relaxed: it only counts. */
	size_t before = atomic_fetch_add_explicit(&used, bytes, memory_order_relaxed);
	return before + bytes <= size ? start + before : NULL;
}

static bool make_accessible(char *low, size_t bytes)
{
	return system_call(SYS_mprotect, (uintptr_t)low, bytes, (unsigned)protection) == 0;
}

static bool advise(const char *low, size_t bytes, unsigned advice)
{
	return system_call(SYS_madvise, (uintptr_t)low, bytes, advice) == 0;
}

/* Marks are only for memory that is accessible otherwise: Linux takes each mapping that has one for used as a whole,
 * and would write all of the range to a core file. */
static bool mark(char *low)
{
	return advise(low, GUARD, MADV_GUARD_INSTALL);
}

/* The lowest addresses are for a try. */
static bool marks_are_there(void)
{
	char *low = take_addresses(GUARD);
	return make_accessible(low, GUARD) && mark(low);
}

void hosted_stacks_start(void)
{
	protection = hosted_stack_protection();
	mapped_maximum = mappings_maximum() / MAPPINGS_SHARE / MAPPINGS_A_STACK;
	atomic_store_explicit(&used, 0, memory_order_relaxed);
	atomic_store_explicit(&mapped, 0, memory_order_relaxed);
	atomic_store_explicit(&refused, false, memory_order_relaxed);
	for (size = RANGE_LARGEST; size >= RANGE_SMALLEST; size /= 2) {
		start = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (start != MAP_FAILED) {
			scanned = sanitizer_scan(start, size);
			marks = !scanned && marks_are_there();
			return;
		}
	}
	size = 0;
}

void hosted_stacks_end(void)
{
	if (scanned)
		sanitizer_scan_end(start, size);
	if (size > 0)
		munmap(start, size);
	scanned = false;
	size = 0;
}

/* A stack above its guard. */
static bool guard(char *low, size_t bytes)
{
	if (marks)
		return make_accessible(low, GUARD + bytes) && mark(low); /* one mapping for both */
	return atomic_fetch_add_explicit(&mapped, 1, memory_order_relaxed) < mapped_maximum &&
	       make_accessible(low + GUARD, bytes);
}

void *arch_stack_map(void *block, size_t *bytes, bool *guarded)
{
	char *low = take_addresses(GUARD + *bytes + PAGE_SIZE);
	*guarded = low && guard(low, *bytes + PAGE_SIZE);
	if (*guarded) {
		*bytes += PAGE_SIZE;
		return low + GUARD;
	}
	if (!atomic_exchange_explicit(&refused, true, memory_order_relaxed))
		log_warning("stacks of tasks that are made from now on have no guard: the host has no more mappings "
		            "for them (vm.max_map_count), or no addresses (ulimit -v)");
	return block;
}

/* A sanitizer has its own view of frames that are never left. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#	define LENDS false
#else
#	define LENDS true
#endif

bool arch_stack_lend(void *stack_low, uintptr_t address)
{
	char *page = (char *)(address & ~(PAGE_SIZE - 1));
	/* The lowest page stays: a task that gets there would go further. */
	if (!LENDS || page <= (char *)stack_low - GUARD)
		return false;
	if (!make_accessible(page, PAGE_SIZE))
		return false;
	advise(page, PAGE_SIZE, MADV_GUARD_REMOVE); /* fails if the host has no such guards: then there is none */
	return true;
}

void arch_stack_take_back(void *stack_low)
{
	char *low = (char *)stack_low - GUARD;
	if (!marks || !mark(low))
		system_call(SYS_mprotect, (uintptr_t)low, GUARD, PROT_NONE);
}

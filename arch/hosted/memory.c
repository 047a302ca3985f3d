/*
 * Memory of the hosted machine: one mapping whose pages the host makes when they are touched.
 */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "arch/arch.h"
#include "arch/hosted/hosted.h"

#define SMALLEST       ((size_t)64 << 20)
#define GUARDS_MAXIMUM 16000 /* each splits a mapping, of which a process has some 65,000 */

static void *mapping;
static size_t mapping_size;
static atomic_uint guards;

/* Three quarters of what the host has available, so that running out is our error and not the host's killer.
 */
static size_t wanted_size(void)
{
	unsigned long available = 0;
	FILE *file = fopen("/proc/meminfo", "r");
	if (file) {
		char line[128];
		while (!available && fgets(line, sizeof(line), file))
			sscanf(line, "MemAvailable: %lu kB", &available);
		fclose(file);
	}
	return available ? (size_t)available * 1024 / 4 * 3 : (size_t)1 << 30;
}

bool hosted_memory_find(struct boot_information *boot)
{
	for (mapping_size = wanted_size(); mapping_size >= SMALLEST; mapping_size /= 2) {
		mapping = mmap(NULL, mapping_size, PROT_READ | PROT_WRITE,
		               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (mapping != MAP_FAILED) {
			/* As far as the host has them: fewer faults, and fewer misses of the translation of addresses. */
			madvise(mapping, mapping_size, MADV_HUGEPAGE);
			boot_memory_add(boot, (uintptr_t)mapping, mapping_size);
			return true;
		}
	}
	return false;
}

void hosted_memory_free(void)
{
	munmap(mapping, mapping_size);
	atomic_store_explicit(&guards, 0, memory_order_relaxed);
}

/* Large stacks give their lowest page to a guard as long as the host has mappings left; the others have the
 * canary. */
void *arch_stack_map(void *block, size_t *bytes, bool *guarded)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	*guarded = *bytes >= 16 * page &&
	           atomic_fetch_add_explicit(&guards, 1, memory_order_relaxed) < GUARDS_MAXIMUM &&
	           mprotect(block, page, PROT_NONE) == 0;
	if (!*guarded)
		return block;
	*bytes -= page;
	return (char *)block + page;
}

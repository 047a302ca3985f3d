/*
 * Memory of the hosted machine: one mapping, whose pages the host provides when they are touched.
 */
#include <stdio.h>
#include <sys/mman.h>

#include "arch/arch.h"
#include "arch/hosted/hosted.h"
#include "arch/hosted/sanitizer.h"

#define SMALLEST ((size_t)64 << 20)

static void *mapping;
static size_t mapping_size;

/* Three quarters of what the host has available, so that running out is reported by us, and not by the host's
 * out-of-memory killer. */
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
		mapping = mmap(NULL, mapping_size, hosted_stack_protection(),
		               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (mapping != MAP_FAILED) {
			/* Huge pages as far as the host has them: fewer page faults and TLB misses. */
			madvise(mapping, mapping_size, MADV_HUGEPAGE);
			boot_memory_add(boot, (uintptr_t)mapping, mapping_size);
			sanitizer_scan_at_exit(mapping, mapping_size);
			hosted_stacks_start();
			return true;
		}
	}
	mapping_size = 0;
	return false;
}

void hosted_memory_free(void)
{
	sanitizer_scan_at_exit(NULL, 0);
	if (mapping_size > 0)
		munmap(mapping, mapping_size);
	mapping_size = 0;
	hosted_stacks_end();
}

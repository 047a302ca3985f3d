/*
 * Memory of the hosted machine: one mapping, whose pages the host provides when they are touched. It is inaccessible
 * at first, and made accessible in chunks before their first use. A core file has what is accessible, and no more.
 *
 *     a chunk: CLOSED --arch_memory_open--> OPEN, until everything is given back
 *
 * | operation        | progress  | takes effect                                     |
 * |------------------|-----------|--------------------------------------------------|
 * | arch_memory_open | wait-free | at the call of the host; twice is as good as once |
 */
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>

#include "arch/arch.h"
#include "arch/hosted/hosted.h"
#include "arch/hosted/sanitizer.h"
#include "arch/hosted/system_call.h"

#define SMALLEST   ((size_t)64 << 20)
#define CHUNK      ((size_t)8 << 20)
#define CHUNKS     ((size_t)1 << 21) /* 16 TiB, the most that the kernel takes */
#define CHUNK_BITS 64

static char *mapping;
static size_t mapping_size;
static int protection;
static _Atomic uint64_t opened[CHUNKS / CHUNK_BITS]; /* a bit for each chunk */

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
	size_t wanted = available ? (size_t)available * 1024 / 4 * 3 : (size_t)1 << 30;
	return wanted < CHUNKS * CHUNK ? wanted : CHUNKS * CHUNK;
}

bool hosted_memory_find(struct boot_information *boot)
{
	for (mapping_size = wanted_size(); mapping_size >= SMALLEST; mapping_size /= 2) {
		mapping = mmap(NULL, mapping_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (mapping != MAP_FAILED) {
			protection = hosted_stack_protection();
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

static bool chunk_open(size_t chunk)
{
	_Atomic uint64_t *word = &opened[chunk / CHUNK_BITS];
	uint64_t bit = (uint64_t)1 << chunk % CHUNK_BITS;
	size_t start = chunk * CHUNK, end = start + CHUNK < mapping_size ? start + CHUNK : mapping_size;
	/* acquire: pairs with the release below. */
	if (atomic_load_explicit(word, memory_order_acquire) & bit)
		return true;
	if (system_call(SYS_mprotect, (uintptr_t)mapping + start, end - start, (unsigned)protection) != 0)
		return false;
	/* CLOSED -> OPEN; release: it is accessible. */
	atomic_fetch_or_explicit(word, bit, memory_order_release);
	return true;
}

bool arch_memory_open(uintptr_t address, size_t bytes)
{
	size_t first = (address - (uintptr_t)mapping) / CHUNK;
	size_t last = (address + bytes - 1 - (uintptr_t)mapping) / CHUNK;
	bool done = true;
	for (size_t chunk = first; done && chunk <= last; chunk++)
		done = chunk_open(chunk);
	return done;
}

void hosted_memory_free(void)
{
	sanitizer_scan_at_exit(NULL, 0);
	for (size_t chunk = 0; chunk * CHUNK < mapping_size; chunk += CHUNK_BITS)
		atomic_store_explicit(&opened[chunk / CHUNK_BITS], 0, memory_order_relaxed);
	if (mapping_size > 0)
		munmap(mapping, mapping_size);
	mapping_size = 0;
	hosted_stacks_end();
}

/*
 * The host's monotonic clock, counted from the start of the process. It is read in the vDSO, code that the host's
 * kernel maps into every process; where there is none, as under Valgrind, by a system call.
 */
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>

#include "arch/arch.h"
#include "arch/hosted/elf.h"
#include "arch/hosted/hosted.h"
#include "arch/hosted/system_call.h"

typedef int (*clock_reader)(clockid_t clock, struct timespec *now);

static int clock_by_kernel(clockid_t clock, struct timespec *now)
{
	return (int)system_call(SYS_clock_gettime, (uintptr_t)clock, (uintptr_t)now);
}

static clock_reader read_clock = clock_by_kernel;
static uint64_t origin;
static uintptr_t mapped_low, mapped_high; /* the vDSO */

/* It is mapped whole, in one piece. */
static size_t mapped_size(const char *mapped)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)mapped;
	const Elf64_Phdr *parts = (const Elf64_Phdr *)(mapped + header->e_phoff);
	size_t size = 0;
	for (unsigned i = 0; i < header->e_phnum; i++)
		if (parts[i].p_type == PT_LOAD && parts[i].p_offset + parts[i].p_filesz > size)
			size = parts[i].p_offset + parts[i].p_filesz;
	return size;
}

static clock_reader find_reader(void)
{
	const char *mapped = (const char *)getauxval(AT_SYSINFO_EHDR);
	struct elf_symbols symbols;
	if (!mapped)
		return clock_by_kernel;
	mapped_low = (uintptr_t)mapped;
	mapped_high = mapped_low + mapped_size(mapped);
	symbols = elf_symbols_find(mapped, SIZE_MAX, SHT_DYNSYM);
	for (size_t i = 0; i < symbols.count; i++)
		if (strcmp(symbols.names + symbols.first[i].st_name, "__vdso_clock_gettime") == 0)
			return (clock_reader)(mapped_low + symbols.first[i].st_value);
	return clock_by_kernel;
}

bool hosted_is_clock_code(uintptr_t address)
{
	return address >= mapped_low && address < mapped_high;
}

static uint64_t host_clock(void)
{
	struct timespec now;
	read_clock(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void arch_clock_start(const struct boot_information *boot)
{
	(void)boot;
	read_clock = find_reader();
	origin = host_clock();
}

uint64_t arch_clock(void)
{
	return origin ? host_clock() - origin : 0;
}

/* The reader of the results has this machine's data already. */
size_t arch_describe(char *text, size_t size)
{
	(void)text, (void)size;
	return 0;
}

/* The host does not tell. */
unsigned arch_activity_known(void)
{
	return 0;
}

void arch_activity_read(struct arch_activity *activity)
{
	*activity = (struct arch_activity){0};
}

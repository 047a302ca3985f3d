/*
 * Names of functions, from the symbol table of the program's own file. Read once at the start, since a fault
 * handler can open nothing.
 */
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch/arch.h"
#include "arch/hosted/elf.h"
#include "arch/hosted/hosted.h"

/* Around the code of kernel/, sched/, sync/ and arch/, which the build gathers in a section of this name. */
extern const char __start_heddle_text[], __stop_heddle_text[];

static struct elf_symbols symbols;
static uintptr_t load_base;

static int find_load_base(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size;
	(void)unused;
	load_base = info->dlpi_addr;
	return 1; /* the first is the program itself */
}

void hosted_symbols_start(void)
{
	struct stat status;
	if (symbols.count)
		return; /* the machine was started before */
	int descriptor = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	if (descriptor < 0)
		return;
	if (fstat(descriptor, &status) == 0) {
		const char *file = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
		if (file != MAP_FAILED)
			symbols = elf_symbols_find(file, (size_t)status.st_size, SHT_SYMTAB);
	}
	close(descriptor);
	dl_iterate_phdr(find_load_base, NULL);
}

const char *arch_symbol(uintptr_t address, size_t *offset)
{
	uintptr_t wanted = address - load_base;
	for (size_t i = 0; i < symbols.count; i++) {
		const Elf64_Sym *symbol = &symbols.first[i];
		if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && wanted >= symbol->st_value &&
		    wanted < symbol->st_value + symbol->st_size) {
			*offset = wanted - symbol->st_value;
			return symbols.names + symbol->st_name;
		}
	}
	return NULL;
}

bool arch_is_user_code(uintptr_t address)
{
	bool is_outside = address < (uintptr_t)__start_heddle_text || address >= (uintptr_t)__stop_heddle_text;
	return is_outside ? !hosted_is_clock_code(address) : arch_is_quantum_code(address);
}

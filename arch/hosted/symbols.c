/*
 * Names of functions, from the symbol table of the program's own file. Read once at the start, since a fault
 * handler can open nothing.
 */
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch/arch.h"
#include "arch/hosted/hosted.h"

/* Around the code of kernel/, sched/, sync/ and arch/, which the build gathers in a section of this name. */
extern const char __start_heddle_text[], __stop_heddle_text[];

static const Elf64_Sym *symbols;
static size_t symbol_count;
static const char *names;
static uintptr_t load_base;

static int find_load_base(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size;
	(void)unused;
	load_base = info->dlpi_addr;
	return 1; /* the first is the program itself */
}

static void find_tables(const char *file, size_t size)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
	if (size < sizeof(*header) || header->e_shoff + header->e_shnum * sizeof(Elf64_Shdr) > size)
		return;
	const Elf64_Shdr *sections = (const Elf64_Shdr *)(file + header->e_shoff);
	for (unsigned i = 0; i < header->e_shnum; i++)
		if (sections[i].sh_type == SHT_SYMTAB && sections[i].sh_offset + sections[i].sh_size <= size) {
			symbols = (const Elf64_Sym *)(file + sections[i].sh_offset);
			symbol_count = sections[i].sh_size / sizeof(Elf64_Sym);
			names = file + sections[sections[i].sh_link].sh_offset;
		}
}

void hosted_symbols_start(void)
{
	struct stat status;
	if (symbols)
		return; /* the machine was started before */
	int descriptor = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	if (descriptor < 0)
		return;
	if (fstat(descriptor, &status) == 0) {
		const char *file = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
		if (file != MAP_FAILED)
			find_tables(file, (size_t)status.st_size);
	}
	close(descriptor);
	dl_iterate_phdr(find_load_base, NULL);
}

const char *arch_symbol(uintptr_t address, size_t *offset)
{
	uintptr_t wanted = address - load_base;
	for (size_t i = 0; i < symbol_count; i++)
		if (ELF64_ST_TYPE(symbols[i].st_info) == STT_FUNC && wanted >= symbols[i].st_value &&
		    wanted < symbols[i].st_value + symbols[i].st_size) {
			*offset = wanted - symbols[i].st_value;
			return names + symbols[i].st_name;
		}
	return NULL;
}

bool arch_is_user_code(uintptr_t address)
{
	return address < (uintptr_t)__start_heddle_text || address >= (uintptr_t)__stop_heddle_text ||
	       arch_is_quantum_code(address);
}

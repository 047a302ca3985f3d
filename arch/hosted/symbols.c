/*
 * Names of functions, from the symbol tables of the program's own file and of the shared library. Read once at the
 * start, because a fault handler cannot open files.
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

/* A mapped file, and where its code lies. */
static struct image {
	const char *file; /* NULL: it cannot be read */
	size_t size;
	struct elf_symbols symbols;
	uintptr_t base;
	uintptr_t low, high;
} program, library; /* if Heddle is a shared library */

static bool is_in(const struct image *image, uintptr_t address)
{
	return address >= image->low && address < image->high;
}

static void find_code(struct image *image, const struct dl_phdr_info *info)
{
	*image = (struct image){.base = info->dlpi_addr, .low = UINTPTR_MAX};
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		uintptr_t low = info->dlpi_addr + part->p_vaddr;
		if (part->p_type != PT_LOAD || !(part->p_flags & PF_X))
			continue;
		image->low = low < image->low ? low : image->low;
		image->high = low + part->p_memsz > image->high ? low + part->p_memsz : image->high;
	}
}

static void find_symbols(struct image *image, const char *path)
{
	struct stat status;
	int descriptor = open(path, O_RDONLY | O_CLOEXEC);
	if (descriptor < 0)
		return;
	if (fstat(descriptor, &status) == 0) {
		const char *file = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
		if (file != MAP_FAILED) {
			image->file = file;
			image->size = (size_t)status.st_size;
			image->symbols = elf_symbols_find(file, image->size, SHT_SYMTAB);
		}
	}
	close(descriptor);
}

/* The first is the program itself. */
static int symbols_look_at(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size;
	(void)unused;
	if (!program.high) {
		find_code(&program, info);
		find_symbols(&program, "/proc/self/exe");
		return is_in(&program, (uintptr_t)__start_heddle_text);
	}
	find_code(&library, info);
	if (!is_in(&library, (uintptr_t)__start_heddle_text))
		return 0;
	find_symbols(&library, info->dlpi_name);
	return 1;
}

void hosted_symbols_start(void)
{
	if (!program.high) /* the machine was not started before */
		dl_iterate_phdr(symbols_look_at, NULL);
}

const char *hosted_program_file(size_t *size)
{
	hosted_symbols_start();
	*size = program.size;
	return program.file;
}

static const char *symbol_of(const struct image *image, uintptr_t address, size_t *offset)
{
	uintptr_t wanted = address - image->base;
	for (size_t i = 0; i < image->symbols.count; i++) {
		const Elf64_Sym *symbol = &image->symbols.first[i];
		if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && wanted >= symbol->st_value &&
		    wanted < symbol->st_value + symbol->st_size) {
			*offset = wanted - symbol->st_value;
			return image->symbols.names + symbol->st_name;
		}
	}
	return NULL;
}

const char *arch_symbol(uintptr_t address, size_t *offset)
{
	return symbol_of(is_in(&library, address) ? &library : &program, address, offset);
}

bool arch_is_user_code(uintptr_t address)
{
	bool is_outside = address < (uintptr_t)__start_heddle_text || address >= (uintptr_t)__stop_heddle_text;
	return is_outside ? !hosted_is_clock_code(address) : arch_is_quantum_code(address);
}

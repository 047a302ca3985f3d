/*
 * The symbols of a mapped file: the program's own, or what the host's kernel maps into every process (vDSO).
 */
#ifndef ARCH_HOSTED_ELF_H
#define ARCH_HOSTED_ELF_H

#include <elf.h>
#include <stddef.h>

struct elf_symbols {
	const Elf64_Sym *first;
	size_t count; /* 0: there are none */
	const char *names;
};

/* The table of the type: SHT_SYMTAB or SHT_DYNSYM. */
static inline struct elf_symbols elf_symbols_find(const char *file, size_t size, Elf64_Word type)
{
	struct elf_symbols found = {0};
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
	if (size < sizeof(*header) || header->e_shoff + header->e_shnum * sizeof(Elf64_Shdr) > size)
		return found;
	const Elf64_Shdr *sections = (const Elf64_Shdr *)(file + header->e_shoff);
	for (unsigned i = 0; i < header->e_shnum; i++)
		if (sections[i].sh_type == type && sections[i].sh_offset + sections[i].sh_size <= size)
			found = (struct elf_symbols){(const Elf64_Sym *)(file + sections[i].sh_offset),
			                             sections[i].sh_size / sizeof(Elf64_Sym),
			                             file + sections[sections[i].sh_link].sh_offset};
	return found;
}

#endif

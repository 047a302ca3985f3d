/*
 * The symbols and sections of a mapped file: the program's own, or what the host's kernel maps into every process
 * (vDSO).
 */
#ifndef ARCH_HOSTED_ELF_H
#define ARCH_HOSTED_ELF_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct elf_symbols {
	const Elf64_Sym *first;
	size_t count; /* 0: there are none */
	const char *names;
};

/* The headers of the file's sections; NULL: they are not all there. */
static inline const Elf64_Shdr *elf_sections(const char *file, size_t size)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
	if (size < sizeof(*header) || header->e_shoff > size ||
	    header->e_shnum > (size - header->e_shoff) / sizeof(Elf64_Shdr))
		return NULL;
	return (const Elf64_Shdr *)(file + header->e_shoff);
}

static inline unsigned elf_section_count(const char *file, size_t size)
{
	return elf_sections(file, size) ? ((const Elf64_Ehdr *)file)->e_shnum : 0;
}

static inline bool elf_section_is_whole(const Elf64_Shdr *section, size_t size)
{
	return section->sh_offset <= size && section->sh_size <= size - section->sh_offset;
}

/* The table of the type: SHT_SYMTAB or SHT_DYNSYM. */
static inline struct elf_symbols elf_symbols_find(const char *file, size_t size, Elf64_Word type)
{
	struct elf_symbols found = {0};
	const Elf64_Shdr *sections = elf_sections(file, size);
	for (unsigned i = 0; i < elf_section_count(file, size); i++)
		if (sections[i].sh_type == type && elf_section_is_whole(&sections[i], size))
			found = (struct elf_symbols){(const Elf64_Sym *)(file + sections[i].sh_offset),
			                             sections[i].sh_size / sizeof(Elf64_Sym),
			                             file + sections[sections[i].sh_link].sh_offset};
	return found;
}

/* The section of that name; NULL: there is none. */
static inline const Elf64_Shdr *elf_section_find(const char *file, size_t size, const char *name)
{
	const Elf64_Shdr *sections = elf_sections(file, size), *found = NULL;
	unsigned count = elf_section_count(file, size),
	         names = count ? ((const Elf64_Ehdr *)file)->e_shstrndx : 0;
	if (names >= count || !elf_section_is_whole(&sections[names], size))
		return NULL;
	size_t length = strlen(name) + 1;
	for (unsigned i = 0; i < count; i++)
		if (sections[i].sh_name + length <= sections[names].sh_size &&
		    memcmp(file + sections[names].sh_offset + sections[i].sh_name, name, length) == 0 &&
		    elf_section_is_whole(&sections[i], size))
			found = &sections[i];
	return found;
}

#endif

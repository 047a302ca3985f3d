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

struct elf_sections {
	const Elf64_Shdr *first;
	unsigned count; /* 0: there are none, or they are not all there */
};

static inline struct elf_sections elf_sections_find(const char *file, size_t size)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
	if (size < sizeof(*header) || header->e_shoff > size ||
	    header->e_shnum > (size - header->e_shoff) / sizeof(Elf64_Shdr))
		return (struct elf_sections){0};
	return (struct elf_sections){(const Elf64_Shdr *)(file + header->e_shoff), header->e_shnum};
}

static inline bool elf_section_is_whole(const Elf64_Shdr *section, size_t size)
{
	return section->sh_offset <= size && section->sh_size <= size - section->sh_offset;
}

/* The table of the type: SHT_SYMTAB or SHT_DYNSYM. */
static inline struct elf_symbols elf_symbols_find(const char *file, size_t size, Elf64_Word type)
{
	struct elf_symbols found = {0};
	struct elf_sections sections = elf_sections_find(file, size);
	for (unsigned i = 0; i < sections.count; i++) {
		const Elf64_Shdr *section = &sections.first[i];
		if (section->sh_type == type && elf_section_is_whole(section, size))
			found = (struct elf_symbols){(const Elf64_Sym *)(file + section->sh_offset),
			                             section->sh_size / sizeof(Elf64_Sym),
			                             file + sections.first[section->sh_link].sh_offset};
	}
	return found;
}

/* The section of that name; NULL: there is none. */
static inline const Elf64_Shdr *elf_section_find(const char *file, size_t size, const char *name)
{
	struct elf_sections sections = elf_sections_find(file, size);
	unsigned index = sections.count ? ((const Elf64_Ehdr *)file)->e_shstrndx : 0;
	const Elf64_Shdr *names = &sections.first[index];
	if (index >= sections.count || !elf_section_is_whole(names, size))
		return NULL;
	size_t length = strlen(name) + 1;
	for (unsigned i = 0; i < sections.count; i++) {
		const Elf64_Shdr *section = &sections.first[i];
		if (section->sh_name + length <= names->sh_size &&
		    memcmp(file + names->sh_offset + section->sh_name, name, length) == 0 &&
		    elf_section_is_whole(section, size))
			return section;
	}
	return NULL;
}

#endif

/*
 * Reading what boot loaders hand over. The bytes come from outside: nothing in them is trusted without a check, and
 * nothing beyond the readable part is touched. Damaged parts are logged and left out.
 */
#ifndef KERNEL_BOOT_LOADER_H
#define KERNEL_BOOT_LOADER_H

#include <stddef.h>
#include <stdint.h>

#include "kernel/boot_information.h"

/* The first argument of the entry: the value that a multiboot2 loader passes in a register, and the one that PVH
 * information begins with. */
#define BOOT_LOADER_MULTIBOOT2 0x36d76289u
#define BOOT_LOADER_PVH        0x336ec578u

/* Fill `boot`, which is zeroed, from multiboot2 information with `length` readable bytes. The information must stay
 * in place: loader name and RSDP are read there later. So it is reserved in the memory map, as modules are. Returns
 * NULL, or a sentence that says why the information is of no use. */
const char *multiboot2_parse(const void *information, size_t length, struct boot_information *boot);

/* Fill `boot`, which is zeroed, from a PVH start information (struct hvm_start_info). It consists of addresses; only
 * what lies wholly below `limit` is read. Same result. */
const char *pvh_parse(const void *information, uint64_t limit, struct boot_information *boot);

/* For both: copy the command line, which ends at a 0 or after `length` bytes. */
void boot_command_line_copy(struct boot_information *boot, const char *text, size_t length);

/* For both: read a memory map of `length` bytes. Its entries have BOOT_MAP_ENTRY bytes or more and are `stride`
 * apart: address, length, type, reserved. An entry that is cut off is left out. */
#define BOOT_MAP_ENTRY 24
void boot_memory_map_read(struct boot_information *boot, const uint8_t *map, size_t length, size_t stride);

/* Numbers in memory, at any alignment. */
static inline uint32_t boot_read_32(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static inline uint64_t boot_read_64(const uint8_t *bytes)
{
	return boot_read_32(bytes) | (uint64_t)boot_read_32(bytes + 4) << 32;
}

#endif

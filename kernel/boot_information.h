/*
 * What the boot loader (or, hosted, main) told us: the same structure for every way to boot.
 */
#ifndef KERNEL_BOOT_INFORMATION_H
#define KERNEL_BOOT_INFORMATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BOOT_REGIONS_MAXIMUM 256
#define COMMAND_LINE_MAXIMUM 4096

/* Unused memory: page-aligned, sorted, disjoint. The kernel's image, the boot loader's data and page 0 are already
 * cut out. */
struct boot_region {
	uint64_t base, length;
};

struct boot_framebuffer {
	bool present;
	bool text; /* cells of character and attribute (VGA text) rather than pixels */
	uint64_t address;
	uint32_t pitch, width, height; /* bytes, pixels or cells */
	uint8_t depth;                 /* bits a pixel */
	uint8_t red_position, red_size, green_position, green_size, blue_position, blue_size;
};

struct boot_information {
	const char *loader;                      /* of the loader, for the log: "GRUB 2.06", "PVH", "hosted" */
	char command_line[COMMAND_LINE_MAXIMUM]; /* a copy; without the image's own name */
	bool command_line_cut;                   /* it was longer, and was cut */
	const void *rsdp;                        /* ACPI root pointer, NULL if the loader gave none */
	size_t rsdp_size;                        /* bytes that may be read there */
	struct boot_framebuffer framebuffer;
	unsigned region_count;
	struct boot_region regions[BOOT_REGIONS_MAXIMUM];
};

/* Add usable memory, rounded inwards to pages, or take unusable memory away, rounded outwards. All additions must
 * come first; apart from that the order does not matter. Regions beyond the maximum are dropped with a warning. */
void boot_memory_add(struct boot_information *boot, uint64_t base, uint64_t length);
void boot_memory_reserve(struct boot_information *boot, uint64_t base, uint64_t length);

/* Whether the map still has all of it. */
bool boot_memory_is_free(const struct boot_information *boot, uint64_t base, uint64_t length);

/* Take `bytes`, rounded up to pages and wholly below `limit`, out of the map for good, before memory_start(). Returns
 * the address; 0: there is no such memory. */
uint64_t boot_memory_take(struct boot_information *boot, uint64_t bytes, uint64_t limit);

#endif

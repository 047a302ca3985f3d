/*
 * The start information of the PVH boot protocol, with which QEMU starts a kernel directly.
 */
#include <string.h>

#include "kernel/boot_loader.h"
#include "kernel/console.h"

/* Offsets of the fields of struct hvm_start_info. */
#define VERSION         4
#define MODULE_COUNT    12
#define MODULE_LIST     16
#define COMMAND_LINE    24
#define RSDP            32
#define VERSION_0_END   40
#define MEMORY_MAP      40 /* from version 1 on */
#define MEMORY_ENTRIES  48
#define INFORMATION_END 56

#define MODULE_ENTRY 32 /* address, length, address of its command line, reserved */

#define RSDP_SIZE 36

/* The bytes at an address from outside; NULL unless all of them can be read. */
static const uint8_t *bytes_at(uint64_t address, uint64_t length, uint64_t limit)
{
	if (address == 0 || address > limit || length > limit - address)
		return NULL;
	return (const uint8_t *)(uintptr_t)address;
}

static void modules_reserve(const uint8_t *information, uint64_t limit, struct boot_information *boot)
{
	uint32_t count = boot_read_32(information + MODULE_COUNT);
	const uint8_t *list =
	    bytes_at(boot_read_64(information + MODULE_LIST), (uint64_t)count * MODULE_ENTRY, limit);
	if (count && !list) {
		log_warning("boot loader: its list of %u modules is out of reach; the modules may be overwritten",
		            count);
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		const uint8_t *module = list + (size_t)i * MODULE_ENTRY;
		boot_memory_reserve(boot, boot_read_64(module), boot_read_64(module + 8));
	}
}

const char *pvh_parse(const void *information, uint64_t limit, struct boot_information *boot)
{
	boot->loader = "PVH";
	const uint8_t *bytes = bytes_at((uintptr_t)information, VERSION_0_END, limit);
	if (!bytes || boot_read_32(bytes) != BOOT_LOADER_PVH)
		return "the start information is not where the PVH protocol puts it; boot by GRUB instead";
	if (boot_read_32(bytes + VERSION) < 1 || !bytes_at((uintptr_t)information, INFORMATION_END, limit))
		return "the PVH start information has no memory map (version 0); use a newer monitor, or boot by "
		       "GRUB";

	uint32_t entries = boot_read_32(bytes + MEMORY_ENTRIES);
	const uint8_t *map =
	    bytes_at(boot_read_64(bytes + MEMORY_MAP), (uint64_t)entries * BOOT_MAP_ENTRY, limit);
	if (!map || entries == 0)
		return "the memory map of the PVH start information is empty or out of reach; boot by GRUB instead";
	boot_memory_map_read(boot, map, (size_t)entries * BOOT_MAP_ENTRY, BOOT_MAP_ENTRY);
	modules_reserve(bytes, limit, boot);

	uint64_t rsdp = boot_read_64(bytes + RSDP);
	if (bytes_at(rsdp, RSDP_SIZE, limit)) {
		boot->rsdp = bytes_at(rsdp, RSDP_SIZE, limit);
		boot->rsdp_size = RSDP_SIZE;
		boot_memory_reserve(boot, rsdp, RSDP_SIZE);
	}
	uint64_t line = boot_read_64(bytes + COMMAND_LINE);
	if (bytes_at(line, 1, limit))
		boot_command_line_copy(boot, (const char *)bytes_at(line, 1, limit), limit - line);
	return NULL;
}

/*
 * The boot information of multiboot2 loaders: a length, then tags of type and length, each 8-aligned.
 */
#include <string.h>

#include "kernel/boot_loader.h"
#include "kernel/console.h"
#include "kernel/memory.h"

#define INFORMATION_HEADER 8 /* length, reserved */
#define TAG_HEADER         8 /* type, length with header */

enum tag_type {
	TAG_END = 0,
	TAG_COMMAND_LINE = 1,
	TAG_LOADER_NAME = 2,
	TAG_MODULE = 3,
	TAG_MEMORY_MAP = 6,
	TAG_FRAMEBUFFER = 8,
	TAG_RSDP_OLD = 14,
	TAG_RSDP_NEW = 15,
	TAG_EFI_MAP = 17,
};

#define MEMORY_MAP_HEADER 16 /* tag header, length of an entry, version */

#define FRAMEBUFFER_HEADER    32
#define FRAMEBUFFER_COLOURS   6
#define FRAMEBUFFER_TYPE_RGB  1
#define FRAMEBUFFER_TYPE_TEXT 2

#define EFI_MAP_HEADER       16 /* tag header, length of an entry, version */
#define EFI_ENTRY            40
#define EFI_ENTRY_BASE       8
#define EFI_ENTRY_PAGES      24
#define EFI_ENTRY_ATTRIBUTES 32
#define EFI_SPECIFIC_PURPOSE 0x40000u

struct tag {
	uint32_t type;
	size_t length; /* with header */
	const uint8_t *bytes;
};

/* Go to the next tag; the caller's cursor starts at INFORMATION_HEADER. False at the end tag, and where the bytes end
 * or are no tag. */
static bool tag_next(const uint8_t *information, size_t length, size_t *cursor, struct tag *tag)
{
	if (*cursor > length || length - *cursor < TAG_HEADER)
		return false;
	tag->bytes = information + *cursor;
	tag->type = boot_read_32(tag->bytes);
	tag->length = boot_read_32(tag->bytes + 4);
	if (tag->type == TAG_END || tag->length < TAG_HEADER || tag->length > length - *cursor)
		return false;
	*cursor += (tag->length + 7) & ~(size_t)7;
	return true;
}

/* The first tag of a type. */
static bool tag_find(const uint8_t *information, size_t length, enum tag_type type, struct tag *tag)
{
	size_t cursor = INFORMATION_HEADER;
	while (tag_next(information, length, &cursor, tag)) {
		if (tag->type == type)
			return true;
	}
	return false;
}

/* Whether the tags reach an end tag; else some may be missing. */
static bool tags_are_complete(const uint8_t *information, size_t length)
{
	size_t cursor = INFORMATION_HEADER;
	struct tag tag;
	while (tag_next(information, length, &cursor, &tag))
		;
	return cursor <= length && length - cursor >= TAG_HEADER && boot_read_32(information + cursor) == TAG_END;
}

static const char *memory_map_parse(const struct tag *tag, struct boot_information *boot)
{
	if (tag->length < MEMORY_MAP_HEADER)
		return "the memory map of the boot loader is cut off; try another version of the loader";
	size_t entry_length = boot_read_32(tag->bytes + TAG_HEADER);
	if (entry_length < BOOT_MAP_ENTRY)
		return "the memory map of the boot loader has entries that are too short; try another version of the "
		       "loader";
	boot_memory_map_read(boot, tag->bytes + MEMORY_MAP_HEADER, tag->length - MEMORY_MAP_HEADER, entry_length);
	return NULL;
}

static bool memory_overlaps(const struct boot_information *boot, uint64_t base, uint64_t length)
{
	for (unsigned i = 0; i < boot->region_count; i++) {
		const struct boot_region *region = &boot->regions[i];
		if (base < region->base + region->length && region->base < base + length)
			return true;
	}
	return false;
}

static bool framebuffer_is_usable(const struct boot_framebuffer *framebuffer,
                                  const struct boot_information *boot)
{
	uint64_t row = (uint64_t)framebuffer->width * ((framebuffer->depth + 7u) / 8);
	if (framebuffer->address < PAGE_SIZE || !framebuffer->width || !framebuffer->height ||
	    framebuffer->pitch < row)
		return false;
	uint64_t size = (uint64_t)framebuffer->pitch * framebuffer->height;
	/* It will be mapped as a device, so it must not lie where memory is, least of all the kernel's own. */
	if (size > UINT64_MAX - framebuffer->address || memory_overlaps(boot, framebuffer->address, size))
		return false;
	if (framebuffer->text)
		return framebuffer->depth == 16;
	unsigned depth = framebuffer->depth;
	return (depth == 15 || depth == 16 || depth == 24 || depth == 32) &&
	       framebuffer->red_position + framebuffer->red_size <= depth &&
	       framebuffer->green_position + framebuffer->green_size <= depth &&
	       framebuffer->blue_position + framebuffer->blue_size <= depth;
}

static void framebuffer_parse(const struct tag *tag, struct boot_information *boot)
{
	if (tag->length < FRAMEBUFFER_HEADER) {
		log_warning("boot loader: its description of the framebuffer is cut off; going on without a screen");
		return;
	}
	struct boot_framebuffer framebuffer = {
	    .present = true,
	    .address = boot_read_64(tag->bytes + 8),
	    .pitch = boot_read_32(tag->bytes + 16),
	    .width = boot_read_32(tag->bytes + 20),
	    .height = boot_read_32(tag->bytes + 24),
	    .depth = tag->bytes[28],
	    .text = tag->bytes[29] == FRAMEBUFFER_TYPE_TEXT,
	};
	const uint8_t *colours = tag->bytes + FRAMEBUFFER_HEADER;
	bool known = framebuffer.text;
	if (tag->bytes[29] == FRAMEBUFFER_TYPE_RGB && tag->length >= FRAMEBUFFER_HEADER + FRAMEBUFFER_COLOURS) {
		known = true;
		framebuffer.red_position = colours[0], framebuffer.red_size = colours[1];
		framebuffer.green_position = colours[2], framebuffer.green_size = colours[3];
		framebuffer.blue_position = colours[4], framebuffer.blue_size = colours[5];
	}
	if (known && framebuffer_is_usable(&framebuffer, boot))
		boot->framebuffer = framebuffer;
	else
		log_warning(
		    "boot loader: a framebuffer of type %u, %u x %u, %u bits, pitch %u cannot be used; going on "
		    "without a screen",
		    tag->bytes[29], framebuffer.width, framebuffer.height, framebuffer.depth, framebuffer.pitch);
}

/* The other map does not know of memory that firmware has set aside for a special purpose. Such memory, an
 * accelerator's for instance, is slower or scarce. */
static void efi_map_parse(const struct tag *tag, struct boot_information *boot)
{
	if (tag->length < EFI_MAP_HEADER)
		return;
	size_t stride = boot_read_32(tag->bytes + TAG_HEADER);
	uint64_t left_alone = 0;
	for (size_t at = EFI_MAP_HEADER; stride >= EFI_ENTRY && tag->length - at >= stride; at += stride) {
		const uint8_t *entry = tag->bytes + at;
		uint64_t pages = boot_read_64(entry + EFI_ENTRY_PAGES);
		if (!(boot_read_64(entry + EFI_ENTRY_ATTRIBUTES) & EFI_SPECIFIC_PURPOSE) ||
		    pages > UINT64_MAX / PAGE_SIZE)
			continue;
		boot_memory_reserve(boot, boot_read_64(entry + EFI_ENTRY_BASE), pages * PAGE_SIZE);
		left_alone += pages * PAGE_SIZE;
	}
	if (left_alone > 0)
		log_info("boot loader: %lu MiB of memory are set aside by the firmware, and left alone",
		         (unsigned long)(left_alone >> 20));
}

static void tag_parse(const struct tag *tag, struct boot_information *boot)
{
	const char *text = (const char *)tag->bytes + TAG_HEADER;
	size_t length = tag->length - TAG_HEADER;
	switch (tag->type) {
	case TAG_COMMAND_LINE:
		boot_command_line_copy(boot, text, length);
		break;
	case TAG_LOADER_NAME:
		if (length > 0 && *text && strnlen(text, length) < length)
			boot->loader = text;
		break;
	case TAG_MODULE:
		if (length >= 8) {
			uint32_t start = boot_read_32(tag->bytes + 8), end = boot_read_32(tag->bytes + 12);
			if (end > start)
				boot_memory_reserve(boot, start, end - start);
		}
		break;
	case TAG_FRAMEBUFFER:
		framebuffer_parse(tag, boot);
		break;
	case TAG_EFI_MAP:
		efi_map_parse(tag, boot);
		break;
	case TAG_RSDP_OLD:
	case TAG_RSDP_NEW:
		/* The new one wins, in whichever order they come: it has the 64-bit table. */
		if (!boot->rsdp || tag->type == TAG_RSDP_NEW) {
			boot->rsdp = text;
			boot->rsdp_size = length;
		}
		break;
	}
}

const char *multiboot2_parse(const void *information, size_t length, struct boot_information *boot)
{
	const uint8_t *bytes = information;
	boot->loader = "an unnamed multiboot2 loader";
	if (length < INFORMATION_HEADER)
		return "the boot information is cut off; try another version of the loader";
	size_t claimed = boot_read_32(bytes);
	if (claimed < INFORMATION_HEADER + TAG_HEADER || claimed > length)
		return "the boot information has an impossible length; try another version of the loader";
	length = claimed;
	if (!tags_are_complete(bytes, length))
		log_warning("boot loader: its information breaks off before the end; going on with what there is");

	/* The map comes first: everything else is cut out of it. */
	struct tag tag;
	if (!tag_find(bytes, length, TAG_MEMORY_MAP, &tag))
		return "the boot loader gave no memory map; try another version of the loader";
	const char *error = memory_map_parse(&tag, boot);
	if (error)
		return error;
	boot_memory_reserve(boot, (uintptr_t)information, length);
	for (size_t cursor = INFORMATION_HEADER; tag_next(bytes, length, &cursor, &tag);)
		tag_parse(&tag, boot);
	return NULL;
}

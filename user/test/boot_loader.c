/*
 * The information that boot loaders pass. The bytes under test end where an array ends, so that AddressSanitizer
 * notices a read beyond.
 */
#include "kernel/boot_loader.h"
#include "user/test/boot_map.h"
#include "user/test/test.h"

#define SPACE 1024

static struct boot_information boot;
static uint8_t space[SPACE]; /* the information is at its end */
static uint8_t draft[SPACE];
static size_t draft_length;

static void boot_clear(void)
{
	memset(&boot, 0, sizeof(boot));
}

static bool mentions(const char *sentence, const char *words)
{
	for (; *sentence; sentence++) {
		if (strncmp(sentence, words, strlen(words)) == 0)
			return true;
	}
	return false;
}

/* ---------------------------------------------------------------------------------------- multiboot2 -- */

static void put_32(uint8_t *bytes, uint64_t value)
{
	for (unsigned i = 0; i < 4; i++)
		bytes[i] = (uint8_t)(value >> 8 * i);
}

static void put_64(uint8_t *bytes, uint64_t value)
{
	put_32(bytes, value);
	put_32(bytes + 4, value >> 32);
}

/* Append a tag with room for `length` bytes after its header; returns where they go. */
static uint8_t *tag_put(uint32_t type, size_t length)
{
	uint8_t *tag = draft + draft_length;
	put_32(tag, type);
	put_32(tag + 4, length + 8);
	draft_length += (length + 8 + 7) & ~(size_t)7;
	put_32(draft, draft_length);
	return tag + 8;
}

static void memory_entry_put(uint8_t *entry, uint64_t base, uint64_t length, uint32_t type)
{
	put_64(entry, base);
	put_64(entry + 8, length);
	put_32(entry + 16, type);
}

/* Free memory, by its attributes. */
static void efi_entry_put(uint8_t *entry, uint64_t base, uint64_t pages, uint64_t attributes)
{
	put_32(entry, 7);
	put_64(entry + 8, base);
	put_64(entry + 24, pages);
	put_64(entry + 32, attributes);
}

#define HIGH 0x100000000000ull /* where neither loaders' information nor a test's data is */

static void information_draft(void)
{
	memset(draft, 0, sizeof(draft));
	draft_length = 8;
	memcpy(tag_put(1, 12), "run=test a=", 12);
	memcpy(tag_put(2, 5), "GRUB", 5);
	uint8_t *module = tag_put(3, 9);
	put_32(module, 0xd0000000);
	put_32(module + 4, 0xd0000800);
	uint8_t *map = tag_put(6, 8 + 4 * 24);
	put_32(map, 24);
	memory_entry_put(map + 8, HIGH + 0x2000, 0x1000, 2);
	memory_entry_put(map + 32, HIGH, 0x10000, 1);
	memory_entry_put(map + 56, 0, 0x9fc00, 1);
	memory_entry_put(map + 80, 0xd0000000, 0x100000, 1);
	uint8_t *framebuffer = tag_put(8, 24 + 6);
	put_64(framebuffer, 0xfd000000);
	put_32(framebuffer + 8, 2400);
	put_32(framebuffer + 12, 800);
	put_32(framebuffer + 16, 600);
	memcpy(framebuffer + 20, (uint8_t[]){24, 1, 0, 0, 16, 8, 8, 8, 0, 8}, 10);
	uint8_t *efi_map = tag_put(17, 8 + 2 * 48);
	put_32(efi_map, 48);
	efi_entry_put(efi_map + 8, HIGH + 0x8000, 3, 0x4000f);
	efi_entry_put(efi_map + 56, HIGH + 0xc000, 3, 0xf);
	memset(tag_put(15, 36), 'n', 36);
	memset(tag_put(14, 20), 'o', 20);
	tag_put(0, 0);
}

/* Parse the first `length` bytes of the draft, placed so that nothing readable follows. */
static const char *draft_parse(size_t length)
{
	uint8_t *information = space + SPACE - length;
	memcpy(information, draft, length);
	boot_clear();
	return multiboot2_parse(information, length, &boot);
}

TEST(boot_multiboot2, takes_everything_over)
{
	information_draft();
	CHECK(draft_parse(draft_length) == NULL);
	CHECK(strcmp(boot.command_line, "run=test a=") == 0 && !boot.command_line_cut);
	CHECK(strcmp(boot.loader, "GRUB") == 0);
	CHECK_EQUAL(boot.region_count, 5);
	CHECK(region_is(&boot, 0, 0x1000, 0x9f000) && region_is(&boot, 1, 0xd0001000, 0xd0100000));
	CHECK(region_is(&boot, 2, HIGH, HIGH + 0x2000) && region_is(&boot, 3, HIGH + 0x3000, HIGH + 0x8000));
	CHECK(region_is(&boot, 4, HIGH + 0xb000, HIGH + 0x10000)); /* the memory between is set aside */
	CHECK_EQUAL(boot.rsdp_size, 36);
	CHECK_EQUAL(*(const char *)boot.rsdp, 'n');
	CHECK(boot.framebuffer.present && !boot.framebuffer.text);
	CHECK_EQUAL(boot.framebuffer.address, 0xfd000000);
	CHECK_EQUAL(boot.framebuffer.pitch, 2400);
	CHECK_EQUAL(boot.framebuffer.depth, 24);
	CHECK_EQUAL(boot.framebuffer.red_position, 16);
	CHECK_EQUAL(boot.framebuffer.blue_size, 8);
}

TEST(boot_multiboot2, survives_any_cut)
{
	enum log_level before = warnings_silence();
	information_draft();
	size_t whole = draft_length;
	bool valid = true, refused = true;
	for (size_t length = 0; length < whole; length++) {
		/* Cut off, with and without a correct length. */
		refused &= draft_parse(length) != NULL;
		valid &= regions_are_valid(&boot);
		put_32(draft, length);
		draft_parse(length);
		valid &= regions_are_valid(&boot);
		put_32(draft, whole);
	}
	log_level = before;
	CHECK(refused);
	CHECK(valid);
}

TEST(boot_multiboot2, survives_any_damage)
{
	enum log_level before = warnings_silence();
	uint64_t state = 88172645463325252;
	bool valid = true;
	for (unsigned round = 0; round < 3000; round++) {
		information_draft();
		for (unsigned change = 1 + round % 8; change > 0; change--) {
			uint64_t random = next_random(&state);
			static const uint8_t telling[] = {0, 1, 7, 8, 0x7f, 0x80, 0xfe, 0xff};
			size_t place = random % draft_length;
			draft[place] = random >> 60 ? (uint8_t)(random >> 32) : telling[random >> 32 & 7];
		}
		draft_parse(draft_length);
		valid &= regions_are_valid(&boot);
		valid &= strnlen(boot.command_line, COMMAND_LINE_MAXIMUM) < COMMAND_LINE_MAXIMUM;
		valid &= !boot.framebuffer.present || boot.framebuffer.pitch >= boot.framebuffer.width;
	}
	log_level = before;
	CHECK(valid);
}

/* What would complete a part that is too short is in the next tag: it must not be used. */
TEST(boot_multiboot2, takes_only_whole_parts)
{
	enum log_level before = warnings_silence();
	memset(draft, 0, sizeof(draft));
	draft_length = 8;
	uint8_t *map = tag_put(6, 8 + 24 + 23);
	put_32(map, 24);
	memory_entry_put(map + 8, HIGH, 0x10000, 1);
	memory_entry_put(map + 32, HIGH + 0x100000, 0x10000, 1);
	uint8_t *framebuffer = tag_put(8, 23);
	put_64(framebuffer, 0xfd000000);
	memcpy(framebuffer + 8, (uint8_t[]){160, 0, 0, 0, 80, 0, 0, 0, 25, 0, 0, 0, 16, 2}, 14);
	put_32(tag_put(15, 0) - 4, 7); /* a tag shorter than its header ends what can be read */
	tag_put(0, 0);
	const char *error = draft_parse(draft_length);
	log_level = before;
	CHECK(error == NULL);
	CHECK_EQUAL(boot.region_count, 1);
	CHECK(region_is(&boot, 0, HIGH, HIGH + 0x10000));
	CHECK(!boot.framebuffer.present);
	CHECK(boot.rsdp == NULL);
}

TEST(boot_multiboot2, says_what_is_missing)
{
	memset(draft, 0, sizeof(draft));
	draft_length = 8;
	tag_put(0, 0);
	const char *error = draft_parse(draft_length);
	CHECK(error != NULL && mentions(error, "no memory map"));
	information_draft();
	put_32(draft, 7);
	error = draft_parse(draft_length);
	CHECK(error != NULL && mentions(error, "length"));
}

TEST(boot_multiboot2, cuts_a_long_command_line)
{
	static char line[COMMAND_LINE_MAXIMUM + 10];
	memset(line, 'x', sizeof(line));
	boot_clear();
	boot_command_line_copy(&boot, line, COMMAND_LINE_MAXIMUM);
	CHECK(boot.command_line_cut);
	CHECK_EQUAL(strlen(boot.command_line), COMMAND_LINE_MAXIMUM - 1);
	boot_command_line_copy(&boot, line, COMMAND_LINE_MAXIMUM - 1);
	CHECK(!boot.command_line_cut);
	CHECK_EQUAL(strlen(boot.command_line), COMMAND_LINE_MAXIMUM - 1);
}

TEST(boot_multiboot2, refuses_an_impossible_framebuffer)
{
	enum log_level before = warnings_silence();
	static const struct {
		uint64_t address;
		uint32_t pitch, width, height;
		uint8_t depth, type, red_position;
	} cases[] = {
	    {0xfd000000, 2399, 800, 600, 24, 1, 16}, /* a row is longer than the distance of rows */
	    {0xfd000000, 2400, 0, 600, 24, 1, 16},
	    {0xfd000000, 2400, 800, 0, 24, 1, 16},
	    {0xfd000000, 2400, 800, 600, 9, 1, 0},
	    {0xfd000000, 2400, 800, 600, 24, 1, 17}, /* red beyond the pixel */
	    {0xfd000000, 2400, 800, 600, 24, 0, 16}, /* of unknown types */
	    {0xfd000000, 2400, 800, 600, 24, 3, 16},
	    {0xfd000000, 800, 800, 600, 8, 2, 0},
	    {0, 2400, 800, 600, 24, 1, 16},
	    {UINT64_MAX - 2400, 2400, 800, 600, 24, 1, 16},
	    {HIGH - 0x1000, 2400, 800, 600, 24, 1, 16}, /* where memory is */
	};
	bool refused = true;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		memset(draft, 0, sizeof(draft));
		draft_length = 8;
		uint8_t *map = tag_put(6, 8 + 24);
		put_32(map, 24);
		memory_entry_put(map + 8, HIGH, 0x10000, 1);
		uint8_t *framebuffer = tag_put(8, 24 + 6);
		put_64(framebuffer, cases[i].address);
		put_32(framebuffer + 8, cases[i].pitch);
		put_32(framebuffer + 12, cases[i].width);
		put_32(framebuffer + 16, cases[i].height);
		memcpy(framebuffer + 20, (uint8_t[]){cases[i].depth, cases[i].type, 0, 0, cases[i].red_position, 8},
		       6);
		tag_put(0, 0);
		refused &= draft_parse(draft_length) == NULL && !boot.framebuffer.present;
	}
	log_level = before;
	CHECK(refused);
}

/* ----------------------------------------------------------------------------------------------- PVH -- */

static uint8_t pvh_information[56], pvh_map[4 * 24], pvh_modules[32], pvh_rsdp[36];
static const char pvh_line[] = "processors=2";

static const char *pvh_draft_parse(uint64_t limit)
{
	boot_clear();
	return pvh_parse(pvh_information, limit, &boot);
}

static void pvh_draft(void)
{
	memset(pvh_information, 0, sizeof(pvh_information));
	put_32(pvh_information, BOOT_LOADER_PVH);
	put_32(pvh_information + 4, 1);
	put_32(pvh_information + 12, 1);
	put_64(pvh_information + 16, (uintptr_t)pvh_modules);
	put_64(pvh_information + 24, (uintptr_t)pvh_line);
	put_64(pvh_information + 32, (uintptr_t)pvh_rsdp);
	put_64(pvh_information + 40, (uintptr_t)pvh_map);
	put_32(pvh_information + 48, 4);
	memory_entry_put(pvh_map, HIGH + 0x1000, 0x1000, 2);
	memory_entry_put(pvh_map + 24, HIGH, 0x100000, 1);
	memory_entry_put(pvh_map + 48, 0, 0x9fc00, 1);
	memory_entry_put(pvh_map + 72, UINT64_MAX, UINT64_MAX, 7);
	memory_entry_put(pvh_modules, HIGH + 0x3000, 0x10, 0);
}

TEST(boot_pvh, takes_everything_over)
{
	pvh_draft();
	CHECK(pvh_draft_parse(UINT64_MAX) == NULL);
	CHECK(strcmp(boot.command_line, pvh_line) == 0);
	CHECK(boot.rsdp == pvh_rsdp);
	CHECK_EQUAL(boot.rsdp_size, 36);
	CHECK_EQUAL(boot.region_count, 4);
	CHECK(region_is(&boot, 0, 0x1000, 0x9f000) && region_is(&boot, 1, HIGH, HIGH + 0x1000));
	CHECK(region_is(&boot, 2, HIGH + 0x2000, HIGH + 0x3000) &&
	      region_is(&boot, 3, HIGH + 0x4000, HIGH + 0x100000));
}

TEST(boot_pvh, reads_nothing_out_of_reach)
{
	enum log_level before = warnings_silence();
	static const struct {
		size_t place;
		bool is_fatal;
	} addresses[] = {{16, false}, {24, false}, {32, false}, {40, true}};
	bool right = true;
	for (unsigned i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
		pvh_draft();
		put_64(pvh_information + addresses[i].place, UINT64_MAX - 2);
		right &=
		    (pvh_draft_parse(UINT64_MAX - 2) != NULL) == addresses[i].is_fatal && regions_are_valid(&boot);
		put_64(pvh_information + addresses[i].place, 0);
		right &= (pvh_draft_parse(UINT64_MAX) != NULL) == addresses[i].is_fatal && regions_are_valid(&boot);
	}
	log_level = before;
	CHECK(right);
	CHECK(boot.rsdp == NULL || boot.rsdp == pvh_rsdp);
	CHECK(pvh_draft_parse((uintptr_t)pvh_information + 55) != NULL);
}

TEST(boot_pvh, says_what_is_missing)
{
	pvh_draft();
	put_32(pvh_information + 4, 0);
	const char *error = pvh_draft_parse(UINT64_MAX);
	CHECK(error != NULL && mentions(error, "version 0"));
	pvh_draft();
	put_32(pvh_information + 48, 0);
	error = pvh_draft_parse(UINT64_MAX);
	CHECK(error != NULL && mentions(error, "empty"));
	pvh_draft();
	put_32(pvh_information, 0);
	CHECK(pvh_draft_parse(UINT64_MAX) != NULL);
}

/*
 * The map of free memory at boot.
 */
#include "user/test/boot_map.h"
#include "user/test/test.h"

static struct boot_information boot;

static void boot_clear(void)
{
	memset(&boot, 0, sizeof(boot));
}

TEST(boot_memory, adding_rounds_inwards_and_joins)
{
	boot_clear();
	boot_memory_add(&boot, 0, 0x9fc00);
	boot_memory_add(&boot, 0x200001, 0x2fff);
	boot_memory_add(&boot, 0x100000, 0x1000);
	boot_memory_add(&boot, 0x400000, 0xfff);
	CHECK_EQUAL(boot.region_count, 3);
	CHECK(region_is(&boot, 0, 0x1000, 0x9f000) && region_is(&boot, 1, 0x100000, 0x101000) &&
	      region_is(&boot, 2, 0x201000, 0x203000));
	boot_memory_add(&boot, 0x101000, 0x100000);
	CHECK_EQUAL(boot.region_count, 2);
	CHECK(region_is(&boot, 1, 0x100000, 0x203000));
	boot_memory_add(&boot, 0, 0x300000);
	CHECK_EQUAL(boot.region_count, 1);
	CHECK(region_is(&boot, 0, 0x1000, 0x300000));
}

TEST(boot_memory, reserving_rounds_outwards_and_splits)
{
	boot_clear();
	boot_memory_add(&boot, 0x100000, 0x100000);
	boot_memory_reserve(&boot, 0x110001, 1);
	CHECK_EQUAL(boot.region_count, 2);
	CHECK(region_is(&boot, 0, 0x100000, 0x110000) && region_is(&boot, 1, 0x111000, 0x200000));
	boot_memory_reserve(&boot, 0x1ff000, 0x10000);
	boot_memory_reserve(&boot, 0, 0x100001);
	CHECK(region_is(&boot, 0, 0x101000, 0x110000) && region_is(&boot, 1, 0x111000, 0x1ff000));
	boot_memory_reserve(&boot, 0x150000, 0);
	CHECK_EQUAL(boot.region_count, 2);
	boot_memory_reserve(&boot, 0x101000, 0xf000);
	CHECK_EQUAL(boot.region_count, 1);
	boot_memory_reserve(&boot, 0, UINT64_MAX);
	CHECK_EQUAL(boot.region_count, 0);
}

TEST(boot_memory, ends_of_the_address_space)
{
	boot_clear();
	boot_memory_add(&boot, UINT64_MAX, UINT64_MAX);
	boot_memory_add(&boot, 0, 0);
	boot_memory_add(&boot, 5, UINT64_MAX - 5);
	CHECK_EQUAL(boot.region_count, 1);
	CHECK(region_is(&boot, 0, PAGE_SIZE, UINT64_MAX - PAGE_SIZE + 1));
	boot_memory_reserve(&boot, UINT64_MAX - 1, UINT64_MAX);
	CHECK(regions_are_valid(&boot));
	CHECK_EQUAL(boot_memory_take(&boot, UINT64_MAX, UINT64_MAX), 0);
	boot_memory_reserve(&boot, 0x1000000, UINT64_MAX);
	CHECK(region_is(&boot, 0, PAGE_SIZE, 0x1000000));
}

TEST(boot_memory, taking_is_from_the_top)
{
	boot_clear();
	boot_memory_add(&boot, 0x1000, 0x9e000);
	boot_memory_add(&boot, 0x100000, 0x4000);
	CHECK_EQUAL(boot_memory_take(&boot, 1, UINT64_MAX), 0x103000);
	CHECK_EQUAL(boot_memory_take(&boot, 0x3000, UINT64_MAX), 0x100000);
	CHECK_EQUAL(boot_memory_take(&boot, 0x1000, 0x9e123), 0x9d000);
	CHECK_EQUAL(boot_memory_take(&boot, 0x1000, 0x1fff), 0);
	CHECK_EQUAL(boot_memory_take(&boot, 0x1000, 0x2000), 0x1000);
	CHECK_EQUAL(boot_memory_take(&boot, 0x9d000, UINT64_MAX), 0);
	CHECK_EQUAL(boot_memory_take(&boot, 0, UINT64_MAX), 0);
	CHECK(regions_are_valid(&boot));
}

TEST(boot_memory, too_many_regions_are_dropped)
{
	enum log_level before = warnings_silence();
	boot_clear();
	for (uint64_t i = BOOT_REGIONS_MAXIMUM + 10; i > 0; i--)
		boot_memory_add(&boot, i << 20, 0x10000);
	unsigned count = boot.region_count;
	bool valid = regions_are_valid(&boot);
	/* No room for both parts: the larger one is kept, and the reserved part is removed in any case. */
	uint64_t base = boot.regions[7].base;
	boot_memory_reserve(&boot, base + 0x3000, 0x1000);
	log_level = before;
	CHECK_EQUAL(count, BOOT_REGIONS_MAXIMUM);
	CHECK(valid && regions_are_valid(&boot));
	CHECK(region_is(&boot, 7, base + 0x4000, base + 0x10000));
}

/* Compared with a model that has a bit for each page. */
TEST(boot_memory, agrees_with_a_bitmap)
{
	uint64_t state = 0x2545f4914f6cdd1d;
	for (unsigned round = 0; round < 200; round++) {
		uint64_t pages = 0; /* bit i: page i + 1 */
		boot_clear();
		for (unsigned step = 0; step < 20; step++) {
			unsigned first = next_random(&state) % 60, count = 1 + next_random(&state) % (63 - first);
			uint64_t bits = ((1ull << count) - 1) << first;
			uint64_t base = (first + 1ull) * PAGE_SIZE, length = (uint64_t)count * PAGE_SIZE;
			if (step < 10) {
				boot_memory_add(&boot, base, length);
				pages |= bits;
			} else {
				boot_memory_reserve(&boot, base + 1, length - 2);
				pages &= ~bits;
			}
			CHECK(regions_are_valid(&boot));
		}
		uint64_t found = 0;
		for (unsigned i = 0; i < boot.region_count; i++)
			for (uint64_t page = 0; page < boot.regions[i].length / PAGE_SIZE; page++)
				found |= 1ull << (boot.regions[i].base / PAGE_SIZE - 1 + page);
		CHECK_EQUAL(found, pages);
	}
}

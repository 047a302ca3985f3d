/*
 * Where the log in memory is, and which of its banks a run overwrites.
 */
#include "kernel/log_memory.h"

#include "user/test/boot_map.h"
#include "user/test/test.h"

#define MIB   ((uint64_t)1 << 20)
#define SLOTS 8

static struct boot_information boot;
static struct log_slot place[LOG_BANKS * SLOTS];
static struct log_memory memory;

/* The place in a memory of `mib` MiB, part of which is taken. */
static uint64_t place_in(uint64_t mib, uint64_t taken_base, uint64_t taken_length)
{
	memset(&boot, 0, sizeof(boot));
	boot_memory_add(&boot, 0, 0x9fc00);
	boot_memory_add(&boot, MIB, (mib - 1) * MIB);
	boot_memory_add(&boot, 4096 * MIB, 4096 * MIB);
	boot_memory_reserve(&boot, taken_base, taken_length);
	return log_memory_take(&boot);
}

TEST(log_memory, is_where_others_do_not_write)
{
	CHECK_EQUAL(place_in(64, 0, 0), 32 * MIB);
	CHECK_EQUAL(place_in(4096, 0, 0), 128 * MIB);
	CHECK_EQUAL(place_in(256, 128 * MIB, 1), 144 * MIB);
	CHECK_EQUAL(place_in(129, 0, 0), 32 * MIB);
	CHECK_EQUAL(place_in(64, 32 * MIB, 1), 48 * MIB);
	CHECK_EQUAL(place_in(64, 34 * MIB - 1, 1), 48 * MIB);
	CHECK_EQUAL(place_in(64, 34 * MIB, 1), 32 * MIB);
	CHECK_EQUAL(place_in(4080, 20 * MIB, 4044 * MIB), 4064 * MIB);
	CHECK_EQUAL(place_in(33, 0, 0), 0);
	CHECK_EQUAL(place_in(4096, 1, 4096 * MIB), 0);
}

TEST(log_memory, is_nobody_elses)
{
	CHECK(boot_memory_is_free(&boot, 5 * MIB, 1) == false);
	CHECK_EQUAL(place_in(64, 0, 0), 32 * MIB);
	CHECK(regions_are_valid(&boot));
	CHECK(boot_memory_is_free(&boot, MIB, 31 * MIB));
	CHECK(!boot_memory_is_free(&boot, MIB, 31 * MIB + 1));
	for (uint64_t at = 0; at < LOG_MEMORY_BYTES; at += PAGE_SIZE)
		CHECK(!boot_memory_is_free(&boot, 32 * MIB + at, 1));
	CHECK(boot_memory_is_free(&boot, 32 * MIB + LOG_MEMORY_BYTES, PAGE_SIZE));
	CHECK(!boot_memory_is_free(&boot, 63 * MIB, UINT64_MAX));
}

static bool line_is(unsigned previous, const char *wanted)
{
	struct log_reader reader = memory.previous[previous];
	char text[100];
	return log_read(&reader, text, sizeof(text)) && strcmp(text, wanted) == 0;
}

static void run_on(const char *line)
{
	log_memory_open(&memory, place, SLOTS, NULL);
	log_write(&memory.ring, line, strlen(line));
}

TEST(log_memory, a_run_writes_over_the_oldest)
{
	static const char *const said[] = {"one", "two",   "three", "four", "five",
	                                   "six", "seven", "eight", "nine"};
	memset(place, 0, sizeof(place));
	for (unsigned i = 0; i < 9; i++) {
		run_on(said[i]);
		unsigned there = i < LOG_BANKS - 1 ? i : LOG_BANKS - 1;
		CHECK_EQUAL(memory.previous_count, there);
		CHECK_EQUAL(memory.ring.run, i + 1);
		for (unsigned back = 1; back <= there; back++)
			CHECK(line_is(back - 1, said[i - back]));
	}
}

TEST(log_memory, a_damaged_bank_is_the_one_to_write_over)
{
	memset(place, 0, sizeof(place));
	run_on("one");
	run_on("two");
	run_on("three");
	run_on("four");
	memset(memory.ring.slots, 0xff, SLOTS * sizeof(*place));
	run_on("again");
	CHECK_EQUAL(memory.previous_count, 3);
	CHECK(line_is(0, "three") && line_is(2, "one"));
	CHECK_EQUAL(memory.ring.run, 4);
}

TEST(log_memory, says_how_a_run_ended)
{
	static const char *const endings[] = {"it ended well", "something in it failed", "it ended by a panic"};
	memset(place, 0, sizeof(place));
	run_on("broken off");
	for (enum log_mark mark = LOG_ENDED; mark < LOG_MARKS; mark++) {
		run_on("ended");
		CHECK(strcmp(log_memory_ending(&memory.previous[0]),
		             mark == LOG_ENDED ? "it broke off" : endings[mark - 1]) == 0);
		log_mark(&memory.ring, mark);
	}
	run_on("last");
	CHECK(strcmp(log_memory_ending(&memory.previous[0]), endings[LOG_PANICKED]) == 0);
}

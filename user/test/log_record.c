/*
 * A log that is read after a crash: damage costs only what is damaged.
 */
#include "kernel/log_record.h"

#include <string.h>

#include "heddle/attributes.h"
#include "kernel/format.h"
#include "kernel/log_page.h"
#include "user/test/boot_map.h"
#include "user/test/test.h"

#define SLOTS 8
#define A     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define B     "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

_Static_assert(sizeof(A) == LOG_SLOT_TEXT + 1 && sizeof(B) == sizeof(A), "each fills a slot");

static struct log_slot slots[SLOTS], copy[SLOTS];
static struct log_ring ring;

static void begin(void)
{
	log_create(&ring, slots, SLOTS, 7, NULL);
}

static void say(const char *line)
{
	log_write(&ring, line, strlen(line));
}

/* Whether a log is found there, with exactly these lines, up to NULL. */
static bool is_read(const struct log_slot *from, const char *const *lines)
{
	struct log_reader reader;
	char text[1001];
	if (!log_find(&reader, from, SLOTS) || reader.run != 7)
		return false;
	for (; *lines; lines++)
		if (!log_read(&reader, text, sizeof(text)) || strcmp(text, *lines) != 0)
			return false;
	return !log_read(&reader, text, sizeof(text));
}

#define IS_READ(from, ...) is_read(from, (const char *const[]){__VA_ARGS__, NULL})

TEST(log_record, lines_are_read_as_they_were_written)
{
	begin();
	say("first");
	say("");
	say(A);
	say(A B "c");
	say("\x01\xc3~ ");
	CHECK(IS_READ(slots, "first", "", A, A B "c", "  ~ "));
	begin();
	say(A "x");
	say(A B);
	CHECK(IS_READ(slots, A "x", A B));
}

TEST(log_record, nothing_is_found_where_nothing_was_written)
{
	struct log_reader reader;
	uint64_t state = 99;
	begin();
	CHECK(!log_find(&reader, slots, SLOTS));
	memset(slots, 0xff, sizeof(slots));
	CHECK(!log_find(&reader, slots, SLOTS));
	for (unsigned round = 0; round < 100; round++) {
		for (size_t at = 0; at < sizeof(slots); at++)
			((uint8_t *)slots)[at] = (uint8_t)(next_random(&state) >> 24);
		CHECK(!log_find(&reader, slots, SLOTS));
	}
}

/* The lines that remain when one of the five slots is lost. */
static const char *const left[][4] = {{LOG_LOST A B "c", "last"},
                                      {"first", LOG_LOST B "c", "last"},
                                      {"first", A LOG_LOST "c", "last"},
                                      {"first", A B LOG_LOST, "last"},
                                      {"first", A B "c"}};

TEST(log_record, damage_of_any_byte_costs_its_slot_only)
{
	begin();
	say("first");
	say(A B "c");
	say("last");
	for (size_t at = 0; at < 5 * sizeof(*slots); at++) {
		for (unsigned change = 1; change < 256; change = 2 * change + change % 3) {
			memcpy(copy, slots, sizeof(slots));
			((uint8_t *)copy)[at] ^= (uint8_t)change;
			CHECK(is_read(copy, left[at / sizeof(*slots)]));
		}
	}
	memset(copy, 0, sizeof(copy));
	memcpy(&copy[1], &slots[1], sizeof(*slots));
	CHECK(IS_READ(copy, LOG_LOST A LOG_LOST));
}

TEST(log_record, the_ring_keeps_the_last_lines)
{
	char line[20];
	begin();
	for (unsigned i = 0; i < 20; i++) {
		struct log_reader reader;
		format_text(line, sizeof(line), "line %u", i);
		say(line);
		CHECK(log_find(&reader, slots, SLOTS));
		CHECK_EQUAL(reader.is_cut, i >= SLOTS);
		CHECK_EQUAL(reader.lines, i < SLOTS ? i + 1 : SLOTS);
	}
	CHECK(IS_READ(slots, "line 12", "line 13", "line 14", "line 15", "line 16", "line 17", "line 18",
	              "line 19"));
	begin();
	say(A B "c");
	for (unsigned i = 0; i < SLOTS - 1; i++)
		say("short");
	CHECK(IS_READ(slots, LOG_LOST "c", "short", "short", "short", "short", "short", "short", "short"));
}

/* The machine stopped when that many bytes of the last slot were written, in any order. */
TEST(log_record, a_line_that_was_being_written_costs_no_other)
{
	struct log_slot whole;
	begin();
	for (unsigned i = 0; i < SLOTS + 2; i++)
		say("before");
	memcpy(copy, slots, sizeof(slots));
	say("torn");
	memcpy(&whole, &slots[2], sizeof(whole));
	for (size_t bytes = 0; bytes < sizeof(whole); bytes++) {
		for (unsigned from_end = 0; from_end < 2; from_end++) {
			size_t start = from_end ? sizeof(whole) - bytes : 0;
			memcpy(slots, copy, sizeof(slots));
			memcpy((char *)&slots[2] + start, (char *)&whole + start, bytes);
			/* It overwrote the oldest line, of which nothing is left. */
			bool all = memcmp(&slots[2], &whole, sizeof(whole)) == 0;
			bool none = memcmp(&slots[2], &copy[2], sizeof(whole)) == 0;
			CHECK(all || none ||
			      IS_READ(slots, LOG_LOST "before", "before", "before", "before", "before", "before",
			              "before"));
		}
	}
}

TEST(log_record, a_newer_run_hides_what_is_left_of_an_older_one)
{
	log_create(&ring, slots, SLOTS, 6, NULL);
	for (unsigned i = 0; i < 14; i++)
		say("older");
	memcpy(copy, slots, sizeof(slots));
	begin();
	say("one");
	say("two");
	copy[1] = slots[1];
	CHECK(IS_READ(copy, LOG_LOST "two"));
	copy[0] = slots[0];
	CHECK(IS_READ(copy, "one", "two"));
	log_create(&ring, slots, SLOTS, 6, NULL);
	say("older");
	copy[0] = slots[0];
	CHECK(IS_READ(copy, LOG_LOST "two"));
}

TEST(log_record, a_slot_counts_in_its_place_only)
{
	begin();
	for (unsigned i = 0; i < SLOTS; i++)
		say("old");
	memcpy(copy, slots, sizeof(slots));
	say("lost");
	say("new");
	copy[1] = slots[1];
	CHECK(IS_READ(copy, "old", "old", "old", "old", "old", "old", LOG_LOST "new"));
	begin();
	say("one");
	say("two");
	slots[5] = slots[1];
	memset(&slots[1], 0, sizeof(slots[1]));
	CHECK(IS_READ(slots, "one"));
}

TEST(log_record, marks_are_no_lines)
{
	struct log_reader reader;
	begin();
	say("line");
	log_mark(&ring, LOG_PANICKED);
	say("more");
	CHECK(IS_READ(slots, "line", "more"));
	CHECK(log_find(&reader, slots, SLOTS));
	CHECK(reader.has_mark[LOG_PANICKED] && !reader.has_mark[LOG_ENDED] && !reader.has_mark[LOG_FAILED]);
	CHECK_EQUAL(reader.lines, 2);
}

TEST(log_record, a_buffer_that_is_small_has_a_line_in_parts)
{
	struct log_reader reader;
	char text[LOG_READ_MINIMUM];
	begin();
	say(A B "c");
	CHECK(log_find(&reader, slots, SLOTS));
	CHECK(log_read(&reader, text, sizeof(text)) && strcmp(text, A) == 0);
	CHECK(log_read(&reader, text, sizeof(text)) && strcmp(text, B "c") == 0);
	CHECK(!log_read(&reader, text, sizeof(text)));
}

TEST(log_record, a_buffer_has_room_for_what_is_lost)
{
	struct log_reader reader;
	struct {
		char text[2 * LOG_SLOT_TEXT + sizeof(LOG_LOST) + 2], behind[4];
	} buffer = {.behind = "end"};
	begin();
	say(A A B "c");
	slots[0].run = 0;
	slots[3].run = 0;
	CHECK(log_find(&reader, slots, SLOTS));
	CHECK(log_read(&reader, buffer.text, sizeof(buffer.text)) && strcmp(buffer.text, LOG_LOST A) == 0);
	CHECK(log_read(&reader, buffer.text, sizeof(buffer.text)) && strcmp(buffer.text, B LOG_LOST) == 0);
	CHECK(!log_read(&reader, buffer.text, sizeof(buffer.text)));
	CHECK(strcmp(buffer.behind, "end") == 0);
}

/* What was written back, as a reset leaves it. */
static struct log_slot memory[SLOTS];

HEDDLE_UNCOOPERATIVE_FUNCTION static void write_back(const void *line, size_t bytes)
{
	memcpy((char *)memory + ((const char *)line - (const char *)slots), line, bytes);
}

TEST(log_record, every_line_is_written_back_at_once)
{
	memset(memory, 0xff, sizeof(memory));
	log_create(&ring, slots, SLOTS, 7, write_back);
	CHECK(memcmp(memory, slots, sizeof(slots)) == 0);
	say(A B "c");
	CHECK(IS_READ(memory, A B "c"));
	say("last");
	CHECK(IS_READ(memory, A B "c", "last"));
	log_mark(&ring, LOG_ENDED);
	CHECK(memcmp(memory, slots, sizeof(slots)) == 0);
}

TEST(log_record, without_memory_nothing_happens)
{
	struct log_ring none = {0};
	log_write(&none, "line", 4);
	log_mark(&none, LOG_ENDED);
	CHECK_EQUAL(atomic_load(&none.next), 0);
}

static char rows[8][12];

HEDDLE_UNCOOPERATIVE_FUNCTION static void show(unsigned row, const char *text)
{
	if (row < 8)
		format_text(rows[row], sizeof(rows[row]), "%s", text);
}

TEST(log_record, long_lines_have_several_rows)
{
	struct log_reader reader;
	begin();
	say("0123456789abcdefghijxyz");
	say("");
	say("0123456789");
	CHECK(log_find(&reader, slots, SLOTS));
	memset(rows, 0, sizeof(rows));
	CHECK_EQUAL(log_rows(reader, 10, 0, 0, NULL), 5);
	CHECK_EQUAL(log_rows(reader, 10, 1, 3, show), 5);
	CHECK(strcmp(rows[0], "abcdefghij") == 0 && strcmp(rows[1], "xyz") == 0 && rows[2][0] == 0 &&
	      rows[3][0] == 0);
	CHECK_EQUAL(log_rows(reader, 10, 4, 3, show), 5);
	CHECK(strcmp(rows[0], "0123456789") == 0 && strcmp(rows[1], "xyz") == 0);
}

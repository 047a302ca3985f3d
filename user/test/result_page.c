#include "kernel/result_page.h"

#include <string.h>

#include "kernel/format.h"
#include "user/test/test.h"

#define SCREEN_MAXIMUM 200

static char memory[8192];
static struct result_log written;

static void begin(size_t size)
{
	result_log_start(&written, memory, size);
}

static void keep(const char *line)
{
	char whole[400];
	size_t length = format_text(whole, sizeof(whole), "%s\n", line);
	result_log_keep(&written, whole, length);
}

static void keep_result(const char *benchmark, const char *variant, const char *mean, bool ok)
{
	char line[300];
	format_text(line, sizeof(line),
	            "{\"benchmark\":\"%s\",\"variant\":\"%s\",\"processors\":4,\"tasks\":10,\"operations\":5,"
	            "\"seconds\":0.5,\"ns_per_operation\":%s,\"ok\":%s}",
	            benchmark, variant, mean, ok ? "true" : "false");
	keep(line);
}

static bool row_is(unsigned place, const char *wanted)
{
	char row[RESULT_ROW_MAXIMUM + 1];
	result_log_row(&written, place, row, sizeof(row));
	return strcmp(row, wanted) == 0;
}

static bool table_row_is(const struct result_table *table, unsigned page, unsigned row, const char *wanted)
{
	char text[SCREEN_MAXIMUM];
	result_table_row(table, page, row, text, sizeof(text));
	size_t length = strlen(text);
	while (length > 0 && text[length - 1] == ' ')
		text[--length] = 0;
	return strcmp(text, wanted) == 0;
}

TEST(results, become_short_rows)
{
	begin(sizeof(memory));
	keep_result("switch", "local", "123.456", true);
	CHECK_EQUAL(written.rows, 1);
	CHECK_EQUAL(written.benchmarks, 1);
	CHECK(row_is(0, "switch       local                     4       123.456 ok"));
	CHECK(row_is(1, ""));
}

TEST(results, are_cut_to_their_columns)
{
	begin(sizeof(memory));
	keep_result("eratosthenes", "a-variant-of-more", "1234567890123.456", true);
	keep_result("thirteen-char", "with \\\"quotes\\\"", "12345678901234.5", false);
	CHECK(row_is(1, "eratosthenes a-variant-of-mo~          4 1234567890123 ok"));
	CHECK(row_is(0, "thirteen-ch~ with \\\"quotes\\\"           4 123456789012~ FAILED"));
	CHECK_EQUAL(strlen("thirteen-ch~ with \\\"quotes\\\"           4 123456789012~ FAILED"),
	            RESULT_ROW_MAXIMUM);
}

TEST(results, that_failed_come_first)
{
	begin(sizeof(memory));
	keep_result("one", "v", "1.0", true);
	keep_result("two", "v", "2.0", false);
	keep("not ok 3 queue.keeps_order");
	keep("# passed 5 failed 1 skipped 0");
	keep("# passed 6 failed 0 skipped 2");
	CHECK_EQUAL(written.rows, 5);
	CHECK_EQUAL(written.failed, 3);
	CHECK_EQUAL(written.benchmarks, 2);
	CHECK(row_is(0, "two          v                         4           2.0 FAILED"));
	CHECK(row_is(1, "not ok 3 queue.keeps_order                             FAILED"));
	CHECK(row_is(2, "passed 5 failed 1 skipped 0                            FAILED"));
	CHECK(row_is(3, "one          v                         4           1.0 ok"));
	CHECK(row_is(4, "passed 6 failed 0 skipped 2                            ok"));
}

TEST(results, are_all_that_is_kept)
{
	begin(sizeof(memory));
	keep("ok 1 queue.keeps_order");
	keep("{\"benchmar");
	keep("");
	CHECK_EQUAL(written.length, 0);
	keep("{\"machine\":{\"processor\":\"one\"}}");
	CHECK_EQUAL(written.rows, 0);
	CHECK_EQUAL(written.length, sizeof("{\"machine\":{\"processor\":\"one\"}}"));
	begin(0);
	keep_result("one", "v", "1.0", true);
	CHECK_EQUAL(written.rows + written.lost, 0);
}

TEST(results, that_do_not_fit_are_counted)
{
	struct result_table table = {&written, 100, 20};
	begin(200);
	keep_result("one", "v", "1.0", true);
	keep_result("two", "v", "2.0", true);
	CHECK_EQUAL(written.rows, 1);
	CHECK_EQUAL(written.lost, 1);
	CHECK(table_row_is(&table, 0, 0, "1 result; 1 more did not fit into the memory for them"));
}

/* Each result is exactly once on one of the pages, in order, on screens of every size. */
TEST(results, fill_pages)
{
	char name[13], row[RESULT_ROW_MAXIMUM + 1], text[SCREEN_MAXIMUM];
	begin(sizeof(memory));
	for (unsigned i = 0; i < 40; i++) {
		format_text(name, sizeof(name), "number-%02u", i);
		keep_result(name, "v", "1.0", true);
	}
	for (unsigned rows = 5; rows < 50; rows++) {
		struct result_table table = {&written, rows % 2 ? 80 : 160, rows};
		unsigned columns = rows % 2 ? 1 : 2, seen = 0, pages = result_table_pages(&table);
		for (unsigned page = 0; page < pages; page++)
			for (unsigned column = 0; column < columns; column++)
				for (unsigned line = 2; line < rows; line++) {
					unsigned start = column * (RESULT_ROW_MAXIMUM + 3);
					result_table_row(&table, page, line, text, sizeof(text));
					if (strlen(text) <= start || text[start] == ' ')
						continue;
					result_log_row(&written, seen++, row, sizeof(row));
					CHECK(memcmp(text + start, row, strlen(row)) == 0);
				}
		CHECK_EQUAL(seen, 40);
		CHECK_EQUAL(pages, (40 + (rows - 4) * columns - 1) / ((rows - 4) * columns));
	}
}

TEST(results, have_headings_and_a_footer)
{
	struct result_table table = {&written, 80, 10};
	char text[SCREEN_MAXIMUM];
	begin(sizeof(memory));
	CHECK_EQUAL(result_table_pages(&table), 0);
	keep_result("one", "v", "1.0", true);
	keep_result("two", "v", "2.0", false);
	CHECK(table_row_is(&table, 0, 0, "2 results, 1 of them failed"));
	CHECK(table_row_is(&table, 0, 1, result_headings));
	CHECK(table_row_is(&table, 0, 4, ""));
	CHECK(table_row_is(&table, 0, 9, ""));
	result_page_footer(1, 5, text, sizeof(text));
	CHECK(memcmp(text, "page 2 of 5.", 12) == 0);
}

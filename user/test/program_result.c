/*
 * Result lines of programs: their fields, and what happens to fields without room.
 */
#include <string.h>

#include "heddle/program.h"
#include "heddle/system.h"
#include "user/program_run.h"
#include "user/test/test.h"
#include "user/text.h"

static const struct program_parameter parameters[] = {{"size", 1, 0, 9, "a number"}, {0}};
static const struct program program = {"weave", "a program that does not run", parameters, NULL};

/* Whether the line is `start`, the number of processors and `rest`. */
static bool line_is(const struct text *line, const char *start, const char *rest)
{
	char expected[HEDDLE_LINE_MAXIMUM];
	struct text text;
	text_start(&text, expected, sizeof(expected));
	text_add(&text, "%s%u%s", start, heddle_processors(), rest);
	return strcmp(line->buffer, expected) == 0;
}

#define START(variant) "{\"benchmark\":\"weave\",\"variant\":\"" variant "\",\"processors\":"
#define REST(extras)                                                                                 \
	",\"size\":7,\"operations\":4,\"seconds\":3.000000002,\"ns_per_operation\":750000000.500" extras \
	",\"ok\":true}"

TEST(program_result, line)
{
	struct program_run run = {.program = &program, .values = {7}};
	char buffer[HEDDLE_LINE_MAXIMUM];
	struct text line;
	text_start(&line, buffer, sizeof(buffer));
	program_result_line(&run, &line, "plain", 4, 3000000002, true);
	CHECK(line_is(&line, START("plain"), REST("")));
}

TEST(program_result, variant_is_escaped)
{
	struct program_run run = {.program = &program, .values = {7}};
	char buffer[HEDDLE_LINE_MAXIMUM];
	struct text line;
	text_start(&line, buffer, sizeof(buffer));
	program_result_line(&run, &line, "a \"b\" \\ \n\x1f\xc3\xa9", 4, 3000000002, true);
	CHECK(line_is(&line, START("a \\\"b\\\" \\\\ \\u000a\\u001f\xc3\xa9"), REST("")));
}

/* The variant has its own field, choices are words. */
TEST(program_result, choices)
{
	static const struct program_parameter chosen[] = {{"variant", .help = "how", .choices = "plain|twill"},
	                                                  {"size", 1, 0, 9, "a number"},
	                                                  {"weft", .help = "what", .choices = "wool|silk"},
	                                                  {0}};
	static const struct program loom = {"weave", "a program that does not run", chosen, NULL};
	static const char rest[] = ",\"size\":7,\"weft\":\"silk\",\"operations\":0,\"seconds\":0.000000000,"
	                           "\"ns_per_operation\":0.000,\"ok\":false}";
	struct program_run run = {.program = &loom, .values = {1, 7, 1}};
	char buffer[HEDDLE_LINE_MAXIMUM];
	struct text line;
	text_start(&line, buffer, sizeof(buffer));
	program_result_line(&run, &line, NULL, 0, 0, false);
	CHECK(line_is(&line, START("twill"), rest));
	text_start(&line, buffer, sizeof(buffer));
	program_result_line(&run, &line, "satin", 0, 0, false);
	CHECK(line_is(&line, START("satin"), rest));
}

TEST(program_result, texts)
{
	static const struct program_parameter texts[] = {
	    {"variant", .help = "how", .text = "plain"}, {"name", .help = "whose", .text = "nobody"}, {0}};
	static const struct program loom = {"weave", "a program that does not run", texts, NULL};
	static const char rest[] = ",\"name\":\"\",\"operations\":0,\"seconds\":0.000000000,"
	                           "\"ns_per_operation\":0.000,\"ok\":true}";
	struct program_run run = {.program = &loom, .values = {(uintptr_t) "a\"b\\", (uintptr_t) ""}};
	char buffer[HEDDLE_LINE_MAXIMUM];
	struct text line;
	text_start(&line, buffer, sizeof(buffer));
	program_result_line(&run, &line, NULL, 0, 0, true);
	CHECK(line_is(&line, START("a\\\"b\\\\"), rest));
}

TEST(program_result, later_extra_replaces_earlier)
{
	struct program_run run = {.program = &program, .values = {7}};
	char buffer[HEDDLE_LINE_MAXIMUM];
	struct text line;
	text_start(&line, buffer, sizeof(buffer));
	program_result_extra(&run, "warp", 1);
	program_result_extra(&run, "weft", 2);
	program_result_extra(&run, "warp", 3);
	program_result_line(&run, &line, "plain", 4, 3000000002, true);
	CHECK(line_is(&line, START("plain"), REST(",\"warp\":3,\"weft\":2")));
	CHECK_EQUAL(run.extra_count, 0); /* they belong to one line */
	CHECK(!run.failed);
}

TEST(program_result, too_many_extras_fail_the_run)
{
	static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
	struct program_run run = {.program = &program, .values = {7}};
	_Static_assert(sizeof(names) / sizeof(names[0]) == HEDDLE_PROGRAM_EXTRAS_MAXIMUM + 1, "one too many");
	for (unsigned i = 0; i < HEDDLE_PROGRAM_EXTRAS_MAXIMUM; i++)
		program_result_extra(&run, names[i], i);
	CHECK(!run.failed);
	program_result_extra(&run, names[0], 7); /* needs no more room */
	CHECK(!run.failed);
	program_result_extra(&run, names[HEDDLE_PROGRAM_EXTRAS_MAXIMUM], 8);
	CHECK(run.failed);
	CHECK_EQUAL(run.extra_count, HEDDLE_PROGRAM_EXTRAS_MAXIMUM);
	CHECK_EQUAL(run.extras[0].value, 7);
}

TEST(program_result, too_long_a_line_fails_the_run)
{
	struct program_run run = {.program = &program, .values = {7}};
	char variant[HEDDLE_LINE_MAXIMUM];
	for (unsigned i = 0; i < sizeof(variant) - 1; i++)
		variant[i] = 'v';
	variant[sizeof(variant) - 1] = 0;
	CHECK(!program_result(&run, variant, 4, 5, true));
	CHECK(run.failed);
}

#include "kernel/results.h"

#include <string.h>

#include "kernel/format.h"

#define BENCHMARK_WIDTH  12
#define VARIANT_WIDTH    16
#define PROCESSORS_WIDTH 10
#define MEAN_WIDTH       13
#define CHECK_WIDTH      6
#define TEST_WIDTH       (BENCHMARK_WIDTH + VARIANT_WIDTH + PROCESSORS_WIDTH + MEAN_WIDTH + 3)

_Static_assert(TEST_WIDTH + 1 + CHECK_WIDTH == RESULT_ROW_MAXIMUM,
               "a row is its columns, a blank after each");

struct result_log result_log;
struct result_codes result_codes;

const char result_headings[] = "benchmark    variant          processors  ns/operation check";

_Static_assert(sizeof(result_headings) <= RESULT_ROW_MAXIMUM + 1, "headings are no longer than a row");

enum kind { OTHER, MACHINE, BENCHMARK, TEST_FAILED, TESTS };

static const char *const beginnings[] = {[MACHINE] = "{\"machine\":",
                                         [BENCHMARK] = "{\"benchmark\":",
                                         [TEST_FAILED] = "not ok ",
                                         [TESTS] = "# passed "};

/* A part of a line. */
struct part {
	const char *text;
	size_t length;
};

void result_log_start(struct result_log *log, char *memory, size_t size)
{
	*log = (struct result_log){.text = memory, .size = size};
}

static bool begins(struct part line, const char *words)
{
	size_t length = strlen(words);
	return line.length >= length && memcmp(line.text, words, length) == 0;
}

static enum kind kind_of(struct part line)
{
	for (enum kind kind = MACHINE; kind <= TESTS; kind++)
		if (begins(line, beginnings[kind]))
			return kind;
	return OTHER;
}

/* The part of the line behind the words; empty if the line lacks them. */
static struct part behind(struct part line, const char *words)
{
	for (; line.length > 0; line.text++, line.length--)
		if (begins(line, words))
			return (struct part){line.text + strlen(words), line.length - strlen(words)};
	return (struct part){NULL, 0};
}

static bool has_failed(struct part line, enum kind kind)
{
	if (kind == TESTS)
		return !behind(line, " failed 0 ").text;
	return kind == TEST_FAILED || (kind == BENCHMARK && !behind(line, ",\"ok\":true}").text);
}

void result_log_keep(struct result_log *log, const char *line, size_t length)
{
	struct part part = {line, length};
	enum kind kind = kind_of(part);
	if (log->size == 0 || kind == OTHER)
		return;
	if (length > log->size - log->length) {
		log->lost++;
		return;
	}
	memcpy(log->text + log->length, line, length);
	log->length += length;
	if (kind == MACHINE)
		return;
	log->rows++;
	log->failed += has_failed(part, kind);
	log->benchmarks += kind == BENCHMARK;
}

/* Cut the first line off the rest of the log, without its end. */
static struct part line_cut(struct part *rest)
{
	struct part line = {rest->text, 0};
	while (line.length < rest->length && line.text[line.length] != '\n')
		line.length++;
	size_t used = line.length < rest->length ? line.length + 1 : line.length;
	*rest = (struct part){rest->text + used, rest->length - used};
	return line;
}

/* The line of a row: failures are counted before the others. */
static struct part line_find(const struct result_log *log, unsigned place)
{
	bool failed = place < log->failed;
	unsigned left = failed ? place : place - log->failed;
	struct part rest = {log->text, log->length};
	while (rest.length > 0) {
		struct part line = line_cut(&rest);
		enum kind kind = kind_of(line);
		if (kind > MACHINE && has_failed(line, kind) == failed && left-- == 0)
			return line;
	}
	return (struct part){NULL, 0};
}

/* Up to `width` characters; a longer text ends in '~'. */
static void copy_cut(char *to, size_t width, struct part from)
{
	size_t length = from.length < width ? from.length : width;
	memcpy(to, from.text, length);
	to[length] = 0;
	if (from.length > width)
		to[width - 1] = '~';
}

/* The value of a field of a JSON object, without quotes. `name` is what must stand before it. */
static struct part field(struct part line, const char *name)
{
	struct part value = behind(line, name);
	size_t length = 0;
	if (value.length == 0)
		return (struct part){"", 0};
	if (value.text[0] != '"') {
		while (length < value.length && value.text[length] != ',' && value.text[length] != '}')
			length++;
		return (struct part){value.text, length};
	}
	for (length = 1; length < value.length && value.text[length] != '"'; length++)
		length += value.text[length] == '\\';
	return (struct part){value.text + 1, length < value.length ? length - 1 : value.length - 1};
}

/* A number that is too long loses its decimals. */
static struct part number_short(struct part number)
{
	size_t whole = 0;
	while (whole < number.length && number.text[whole] != '.')
		whole++;
	return number.length > MEAN_WIDTH ? (struct part){number.text, whole} : number;
}

static void benchmark_row(struct part line, const char *check, char *row, size_t size)
{
	char benchmark[BENCHMARK_WIDTH + 1], variant[VARIANT_WIDTH + 1];
	char processors[PROCESSORS_WIDTH + 1], mean[MEAN_WIDTH + 1];
	copy_cut(benchmark, BENCHMARK_WIDTH, field(line, "{\"benchmark\":"));
	copy_cut(variant, VARIANT_WIDTH, field(line, ",\"variant\":"));
	copy_cut(processors, PROCESSORS_WIDTH, field(line, ",\"processors\":"));
	copy_cut(mean, MEAN_WIDTH, number_short(field(line, ",\"ns_per_operation\":")));
	format_text(row, size, "%-*s %-*s %*s %*s %s", BENCHMARK_WIDTH, benchmark, VARIANT_WIDTH, variant,
	            PROCESSORS_WIDTH, processors, MEAN_WIDTH, mean, check);
}

void result_log_row(const struct result_log *log, unsigned place, char *row, size_t size)
{
	struct part line = line_find(log, place);
	enum kind kind = kind_of(line);
	const char *check = has_failed(line, kind) ? "FAILED" : "ok";
	row[0] = 0;
	if (kind == BENCHMARK) {
		benchmark_row(line, check, row, size);
	} else if (kind > MACHINE) {
		char words[TEST_WIDTH + 1];
		copy_cut(words, TEST_WIDTH, kind == TESTS ? behind(line, "# ") : line);
		format_text(row, size, "%-*s %s", TEST_WIDTH, words, check);
	}
}

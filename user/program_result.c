/*
 * Result lines: one JSON object a line.
 */
#include <stdatomic.h>
#include <string.h>

#include "arch/arch.h"
#include "heddle/system.h"
#include "user/program_run.h"
#include "user/text.h"

#define NANOSECONDS_A_SECOND 1000000000

void program_result_extra(struct program_run *run, const char *name, uint64_t value)
{
	unsigned place = 0;
	while (place < run->extra_count && strcmp(run->extras[place].name, name) != 0)
		place++;
	if (place == HEDDLE_PROGRAM_EXTRAS_MAXIMUM) {
		run->failed = true;
		program_failed(run, "there is no room for the extra field \"%s\": a result line has %d at most", name,
		               HEDDLE_PROGRAM_EXTRAS_MAXIMUM);
		return;
	}
	if (place == run->extra_count)
		run->extra_count++;
	run->extras[place] = (struct program_extra){name, value};
}

/* Nanoseconds per operation with three digits: thousandths of a nanosecond, rounded down. */
static void add_mean(struct text *line, uint64_t operations, uint64_t nanoseconds)
{
	uint64_t whole = operations ? nanoseconds / operations : 0;
	uint64_t rest = operations ? nanoseconds % operations : 0;
	/* rest < operations, so it overflows only for more than 1.8e16 operations, which nothing can count to. */
	uint64_t thousandths = operations ? rest * 1000 / operations : 0;
	text_add(line, ",\"ns_per_operation\":%lu.%03lu", whole, thousandths);
}

/* The text as it is written between quotes in JSON. */
static void add_escaped(struct text *line, const char *text)
{
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			text_add(line, "\\%c", *text);
		else if ((unsigned char)*text < ' ')
			text_add(line, "\\u%04x", (unsigned)*text);
		else
			text_add(line, "%c", *text);
	}
}

static void add_value(struct text *line, const struct program_run *run, unsigned place)
{
	const struct program_parameter *parameter = &run->program->parameters[place];
	if (parameter->text)
		add_escaped(line, (const char *)run->values[place]);
	else
		program_value_add(line, parameter, run->values[place]);
}

static bool is_variant(const struct program_parameter *parameter)
{
	return strcmp(parameter->older_name ? parameter->older_name : parameter->name, "variant") == 0;
}

/* As given, else the program's parameter of that name, else the policy. */
static void add_variant(struct text *line, const struct program_run *run, const char *variant)
{
	for (unsigned i = 0; !variant && run->program->parameters[i].name; i++)
		if (is_variant(&run->program->parameters[i])) {
			add_value(line, run, i);
			return;
		}
	add_escaped(line, variant ? variant : heddle_policy());
}

static void add_parameters(struct text *line, const struct program_run *run)
{
	for (unsigned i = 0; run->program->parameters[i].name; i++) {
		const struct program_parameter *parameter = &run->program->parameters[i];
		if (is_variant(parameter))
			continue;
		const char *quote = parameter->choices || parameter->text ? "\"" : "";
		text_add(line, ",\"%s\":%s", parameter->name, quote);
		add_value(line, run, i);
		text_add(line, "%s", quote);
	}
}

void program_result_line(struct program_run *run, struct text *line, const char *variant, uint64_t operations,
                         uint64_t nanoseconds, bool ok)
{
	text_add(line, "{\"benchmark\":\"%s\",\"variant\":\"", run->program->name);
	add_variant(line, run, variant);
	text_add(line, "\",\"processors\":%u", heddle_processors());
	add_parameters(line, run);
	text_add(line, ",\"operations\":%lu,\"seconds\":%lu.%09lu", operations,
	         nanoseconds / NANOSECONDS_A_SECOND, nanoseconds % NANOSECONDS_A_SECOND);
	add_mean(line, operations, nanoseconds);
	for (unsigned i = 0; i < run->extra_count; i++) {
		text_add(line, ",\"");
		add_escaped(line, run->extras[i].name);
		text_add(line, "\":%lu", run->extras[i].value);
	}
	run->extra_count = 0;
	activity_add(line, &run->activity);
	text_add(line, ",\"ok\":%s}", ok ? "true" : "false");
}

/* Before the first result, once: the machine that it comes from. */
static void machine_print(void)
{
	static atomic_bool printed;
	char text[HEDDLE_LINE_MAXIMUM - 16];
	if (!atomic_exchange_explicit(&printed, true, memory_order_relaxed) &&
	    arch_describe(text, sizeof(text)) > 0)
		heddle_print("{\"machine\":{%s}}", text);
}

bool program_result(struct program_run *run, const char *variant, uint64_t operations, uint64_t nanoseconds,
                    bool ok)
{
	char buffer[HEDDLE_LINE_MAXIMUM + 1];
	struct text line;
	text_start(&line, buffer, sizeof(buffer));
	ok = ok && !run->failed;
	run->activity = activity_end();
	program_result_line(run, &line, variant, operations, nanoseconds, ok);
	if (line.cut) {
		run->failed = true;
		return program_failed(run, "a result line is longer than %d characters: shorten its variant",
		                      HEDDLE_LINE_MAXIMUM);
	}
	machine_print();
	heddle_print("%s", buffer);
	activity_warn(&run->activity);
	return ok;
}

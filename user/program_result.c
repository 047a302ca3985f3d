/*
 * Result lines: one JSON object a line, with integers only, as the kernel's formatting knows no floating
 * point.
 */
#include "heddle/system.h"
#include "kernel/console.h"
#include "kernel/panic.h"
#include "user/program_run.h"
#include "user/text.h"

#define NANOSECONDS_A_SECOND 1000000000

void program_result_extra(struct program_run *run, const char *name, uint64_t value)
{
	if (run->extra_count == PROGRAM_EXTRAS_MAXIMUM)
		panic("program %s adds more than %d extra fields to a result line", run->program->name,
		      PROGRAM_EXTRAS_MAXIMUM);
	run->extras[run->extra_count++] = (struct program_extra){name, value};
}

/* Nanoseconds an operation, with three digits: thousandths of a nanosecond, rounded down. */
static void add_mean(struct text *line, uint64_t operations, uint64_t nanoseconds)
{
	uint64_t whole = operations ? nanoseconds / operations : 0;
	uint64_t rest = operations ? nanoseconds % operations : 0;
	/* rest < operations; only operations above 1.8e16, more than anything can count to, would overflow. */
	uint64_t thousandths = operations ? rest * 1000 / operations : 0;
	text_add(line, ",\"ns_per_operation\":%lu.%03lu", whole, thousandths);
}

bool program_result(struct program_run *run, const char *variant, uint64_t operations, uint64_t nanoseconds,
                    bool ok)
{
	char buffer[CONSOLE_LINE_MAXIMUM];
	struct text line;
	text_start(&line, buffer, sizeof(buffer));
	text_add(&line, "{\"benchmark\":\"%s\",\"variant\":\"%s\",\"processors\":%u", run->program->name,
	         variant ? variant : heddle_policy(), heddle_processors());
	for (unsigned i = 0; run->program->parameters[i].name; i++)
		text_add(&line, ",\"%s\":%lu", run->program->parameters[i].name, run->values[i]);
	text_add(&line, ",\"operations\":%lu,\"seconds\":%lu.%09lu", operations,
	         nanoseconds / NANOSECONDS_A_SECOND, nanoseconds % NANOSECONDS_A_SECOND);
	add_mean(&line, operations, nanoseconds);
	for (unsigned i = 0; i < run->extra_count; i++)
		text_add(&line, ",\"%s\":%lu", run->extras[i].name, run->extras[i].value);
	run->extra_count = 0;
	text_add(&line, ",\"ok\":%s}", ok ? "true" : "false");
	heddle_print("%s", buffer);
	return ok;
}

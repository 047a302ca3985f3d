#include <string.h>

#include "user/program_list.h"

#include "heddle/system.h"
#include "kernel/command_line.h"
#include "kernel/console.h"
#include "kernel/format.h"
#include "kernel/panic.h"
#include "user/choice.h"
#include "user/program_run.h"

bool program_check(const char *words, char *error, size_t error_size)
{
	struct program_run run;
	return program_parse(words, &run, error, error_size);
}

bool program_run_words(const char *words)
{
	struct program_run run;
	char error[CONSOLE_LINE_MAXIMUM];
	if (!program_parse(words, &run, error, sizeof(error))) {
		log_error("%s", error);
		return false;
	}
#ifdef HEDDLE_UNCHECKED
	command_line.defer = 0; /* without checks nothing would end a deferral (sync/deferral.h) */
#endif
	heddle_log("run=%s starts", words);
	activity_begin();
	bool ok = run.program->run(&run) && !run.failed;
	if (!ok)
		log_error("run=%s failed", words);
	return ok;
}

void program_value_add(struct text *text, const struct program_parameter *parameter, uint64_t value)
{
	if (parameter->choices) {
		struct piece word = choice_of(parameter, value);
		text_add(text, "%.*s", (int)word.length, word.text);
	} else if (parameter->text)
		text_add(text, "%s", (const char *)value);
	else
		text_add(text, "%lu", value);
}

static void parameter_print(const struct program_parameter *parameter)
{
	char buffer[HEDDLE_LINE_MAXIMUM];
	struct text line;
	text_start(&line, buffer, sizeof(buffer));
	text_add(&line, "    %s=", parameter->name);
	program_value_add(&line, parameter, program_default(parameter));
	text_add(&line, "  %s ", parameter->help);
	if (parameter->choices) {
		text_add(&line, "(");
		choices_add(&line, parameter);
		text_add(&line, ")");
	} else if (parameter->text)
		text_add(&line, "(any word)");
	else
		text_add(&line, "(%lu to %lu)", parameter->minimum, parameter->maximum);
	heddle_print("%s", buffer);
}

static void program_print(const struct program *program)
{
	heddle_print("%s: %s", program->name, program->help);
	for (const struct program_parameter *parameter = program->parameters; parameter->name; parameter++)
		parameter_print(parameter);
}

void program_print_list(void)
{
	for (const struct program *const *entry = __start_heddle_programs; entry != __stop_heddle_programs;
	     entry++)
		program_print(*entry);
}

bool program_print_one(struct piece name)
{
	const struct program *program = program_find(name);
	if (program)
		program_print(program);
	return program;
}

/* The place of a parameter; the program must declare one of that kind. */
static unsigned declared_place(const struct program_run *run, const char *name, bool is_text)
{
	const struct program_parameter *parameters = run->program->parameters;
	for (unsigned i = 0; parameters[i].name; i++)
		if (strcmp(parameters[i].name, name) == 0 && !parameters[i].text == !is_text)
			return i;
	panic("program %s asked for the %s of \"%s\", which it does not declare as a parameter that has one",
	      run->program->name, is_text ? "text" : "value", name);
}

uint64_t program_value(const struct program_run *run, const char *name)
{
	return run->values[declared_place(run, name, false)];
}

const char *program_text(const struct program_run *run, const char *name)
{
	return (const char *)run->values[declared_place(run, name, true)];
}

uint64_t program_choice_added(const struct program_run *run, const char *name)
{
	unsigned place = declared_place(run, name, false);
	uint64_t own = choice_count(run->program->parameters[place].choices);
	return run->values[place] < own ? PROGRAM_NONE_ADDED : run->values[place] - own;
}

bool program_failed(struct program_run *run, const char *format, ...)
{
	char reason[CONSOLE_LINE_MAXIMUM];
	va_list arguments;
	va_start(arguments, format);
	format_arguments(reason, sizeof(reason), format, arguments);
	va_end(arguments);
	log_error("%s: %s", run->program->name, reason);
	return false;
}

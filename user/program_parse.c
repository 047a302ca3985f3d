/*
 * Parses the words of run=: "NAME[,key=value...]", for the programs that are linked in.
 */
#include <string.h>

#include "kernel/similar.h"
#include "user/choice.h"
#include "user/number.h"
#include "user/program_run.h"
#include "user/text.h"

const struct program *program_find(struct piece name)
{
	for (const struct program *const *entry = __start_heddle_programs; entry != __stop_heddle_programs;
	     entry++)
		if (text_equal(name.text, name.length, (*entry)->name))
			return *entry;
	return NULL;
}

/* The index of a parameter in the program's list; HEDDLE_PROGRAM_PARAMETERS_MAXIMUM: there is none of this name. */
static unsigned parameter_find(const struct program *program, struct piece key)
{
	for (unsigned i = 0; program->parameters[i].name; i++)
		if (text_equal(key.text, key.length, program->parameters[i].name) ||
		    (program->parameters[i].older_name &&
		     text_equal(key.text, key.length, program->parameters[i].older_name)))
			return i;
	return HEDDLE_PROGRAM_PARAMETERS_MAXIMUM;
}

/* Adds a suggestion, if there is one, and "allowed are ". `end` is printed after the suggested name. */
static void error_allowed(struct text *error, const struct similar *search, const char *end)
{
	if (search->nearest)
		text_add(error, "; did you mean %.*s%s? Allowed are ", (int)search->nearest_length, search->nearest,
		         end);
	else
		text_add(error, "; allowed are ");
}

static bool error_program(struct text *error, struct piece name)
{
	struct similar search;
	similar_start(&search, name.text, name.length);
	for (const struct program *const *entry = __start_heddle_programs; entry != __stop_heddle_programs;
	     entry++)
		similar_consider(&search, (*entry)->name, strlen((*entry)->name));
	text_add(error, "run=%.*s: there is no such program", (int)name.length, name.text);
	error_allowed(error, &search, "");
	for (const struct program *const *entry = __start_heddle_programs; entry != __stop_heddle_programs;
	     entry++)
		text_add(error, "%s%s", entry == __start_heddle_programs ? "" : ", ", (*entry)->name);
	return false;
}

static bool error_key(struct text *error, const struct program *program, struct piece setting)
{
	const char *rest = setting.text;
	struct piece key = piece_cut(&rest, '=');
	struct similar search;
	similar_start(&search, key.text, key.length < setting.length ? key.length : setting.length);
	for (unsigned i = 0; program->parameters[i].name; i++)
		similar_consider(&search, program->parameters[i].name, strlen(program->parameters[i].name));
	text_add(error, "run=%s: \"%.*s\" is none of its settings", program->name, (int)setting.length,
	         setting.text);
	if (program->parameters[0].name)
		error_allowed(error, &search, "=");
	else
		text_add(error, "; it takes none");
	for (unsigned i = 0; program->parameters[i].name; i++) {
		text_add(error, "%s%s=", i ? ", " : "(with their defaults) ", program->parameters[i].name);
		program_value_add(error, &program->parameters[i], program_default(&program->parameters[i]));
	}
	return false;
}

static void error_choice(struct text *error, const struct program *program,
                         const struct program_parameter *parameter, struct piece value)
{
	struct similar search;
	similar_start(&search, value.text, value.length);
	struct piece choice;
	for (uint64_t place = 0; (choice = choice_of(parameter, place)).length > 0; place++)
		similar_consider(&search, choice.text, choice.length);
	text_add(error, "run=%s: %s=%.*s is none of its choices", program->name, parameter->name,
	         (int)value.length, value.text);
	error_allowed(error, &search, "");
	choices_add(error, parameter);
}

/* Keep the text in the run; *kept is its address. */
static bool text_parse(struct program_run *run, const struct program_parameter *parameter, struct piece value,
                       uint64_t *kept, struct text *error)
{
	char *copy = run->texts + run->texts_length;
	if (value.length >= sizeof(run->texts) - run->texts_length) {
		text_add(error, "run=%s: %s=%.*s is too long; allowed are %u characters for all texts together",
		         run->program->name, parameter->name, (int)value.length, value.text,
		         HEDDLE_PROGRAM_TEXTS_MAXIMUM - 1);
		return false;
	}
	for (size_t i = 0; i < value.length; i++) {
		if (value.text[i] <= ' ' || value.text[i] > '~') {
			text_add(error,
			         "run=%s: %s= has a character that no text may have; allowed is ASCII without blanks",
			         run->program->name, parameter->name);
			return false;
		}
		copy[i] = value.text[i];
	}
	copy[value.length] = 0;
	run->texts_length += value.length + 1;
	*kept = (uintptr_t)copy;
	return true;
}

/* False: the parameter cannot have this value; the error says why, and what is allowed. */
static bool number_or_choice_parse(const struct program *program, const struct program_parameter *parameter,
                                   struct piece value, uint64_t *number, struct text *error)
{
	int length = (int)value.length;
	if (parameter->choices) {
		if (choice_find(parameter, value, number))
			return true;
		error_choice(error, program, parameter, value);
	} else if (!number_parse(value.text, value.length, number))
		text_add(error, "run=%s: %s=%.*s is no number; " NUMBER_SYNTAX, program->name, parameter->name,
		         length, value.text);
	else if (*number < parameter->minimum || *number > parameter->maximum)
		text_add(error, "run=%s: %s=%.*s is out of range; allowed are %lu to %lu", program->name,
		         parameter->name, length, value.text, parameter->minimum, parameter->maximum);
	else
		return true;
	return false;
}

/* One "key=value". `given` has a bit for each parameter that is set already. */
static bool setting_parse(struct program_run *run, struct piece setting, unsigned *given, struct text *error)
{
	const char *rest = setting.text;
	struct piece key = piece_cut(&rest, '=');
	if (key.length >= setting.length)
		return error_key(error, run->program, setting);
	struct piece value = {rest, setting.length - key.length - 1};
	unsigned place = parameter_find(run->program, key);
	if (place == HEDDLE_PROGRAM_PARAMETERS_MAXIMUM)
		return error_key(error, run->program, setting);
	const struct program_parameter *parameter = &run->program->parameters[place];
	bool right = parameter->text
	                 ? text_parse(run, parameter, value, &run->values[place], error)
	                 : number_or_choice_parse(run->program, parameter, value, &run->values[place], error);
	if (!right)
		return false;
	if (*given & 1u << place) {
		text_add(error, "run=%s: %s is given twice; once is allowed", run->program->name, parameter->name);
		return false;
	}
	*given |= 1u << place;
	return true;
}

bool program_parse(const char *words, struct program_run *run, char *error_buffer, size_t error_size)
{
	struct text error;
	unsigned given = 0;
	text_start(&error, error_buffer, error_size);
	struct piece name = piece_cut(&words, ',');
	*run = (struct program_run){.program = program_find(name)};
	if (!run->program)
		return error_program(&error, name);
	for (unsigned i = 0; run->program->parameters[i].name; i++)
		run->values[i] = program_default(&run->program->parameters[i]);
	while (words)
		if (!setting_parse(run, piece_cut(&words, ','), &given, &error))
			return false;
	return true;
}

/*
 * What the words of run= mean: "NAME[,key=value...]" against the programs that are linked in.
 */
#include "user/number.h"
#include "user/program_run.h"
#include "user/text.h"

/* A part of the words, not closed by a 0. */
struct piece {
	const char *text;
	size_t length;
};

/* Cut off the piece up to `end`, or all; *rest goes behind it, or to NULL where nothing more comes. */
static struct piece piece_cut(const char **rest, char end)
{
	struct piece piece = {*rest, 0};
	while (piece.text[piece.length] && piece.text[piece.length] != end)
		piece.length++;
	*rest = piece.text[piece.length] ? piece.text + piece.length + 1 : NULL;
	return piece;
}

static const struct program *program_find(struct piece name)
{
	for (const struct program *const *entry = __start_heddle_programs; entry != __stop_heddle_programs;
	     entry++)
		if (text_equal(name.text, name.length, (*entry)->name))
			return *entry;
	return NULL;
}

/* The place of a parameter in the program's list; PROGRAM_PARAMETERS_MAXIMUM: it has no such one. */
static unsigned parameter_find(const struct program *program, struct piece key)
{
	for (unsigned i = 0; program->parameters[i].name; i++)
		if (text_equal(key.text, key.length, program->parameters[i].name))
			return i;
	return PROGRAM_PARAMETERS_MAXIMUM;
}

static bool error_program(struct text *error, struct piece name)
{
	text_add(error, "run=%.*s: there is no such program; allowed are ", (int)name.length, name.text);
	for (const struct program *const *entry = __start_heddle_programs; entry != __stop_heddle_programs;
	     entry++)
		text_add(error, "%s%s", entry == __start_heddle_programs ? "" : ", ", (*entry)->name);
	return false;
}

static bool error_key(struct text *error, const struct program *program, struct piece setting)
{
	text_add(error, "run=%s: \"%.*s\" is none of its settings; ", program->name, (int)setting.length,
	         setting.text);
	if (!program->parameters[0].name)
		text_add(error, "it takes none");
	for (unsigned i = 0; program->parameters[i].name; i++)
		text_add(error, "%s%s=%lu", i ? ", " : "allowed are (with their defaults) ",
		         program->parameters[i].name, program->parameters[i].value);
	return false;
}

/* One "key=value". `given` has a bit for each parameter that was set already. */
static bool setting_parse(struct program_run *run, struct piece setting, unsigned *given, struct text *error)
{
	const char *rest = setting.text;
	struct piece key = piece_cut(&rest, '=');
	if (key.length >= setting.length)
		return error_key(error, run->program, setting);
	struct piece value = {rest, setting.length - key.length - 1};
	unsigned place = parameter_find(run->program, key);
	if (place == PROGRAM_PARAMETERS_MAXIMUM)
		return error_key(error, run->program, setting);
	const struct program_parameter *parameter = &run->program->parameters[place];
	uint64_t number;
	if (!number_parse(value.text, value.length, &number))
		text_add(error, "run=%s: %s=%.*s is no number; " NUMBER_SYNTAX, run->program->name, parameter->name,
		         (int)value.length, value.text);
	else if (number < parameter->minimum || number > parameter->maximum)
		text_add(error, "run=%s: %s=%.*s is out of range; allowed are %lu to %lu", run->program->name,
		         parameter->name, (int)value.length, value.text, parameter->minimum, parameter->maximum);
	else if (*given & 1u << place)
		text_add(error, "run=%s: %s is given twice; once is allowed", run->program->name, parameter->name);
	else {
		*given |= 1u << place;
		run->values[place] = number;
		return true;
	}
	return false;
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
		run->values[i] = run->program->parameters[i].value;
	while (words)
		if (!setting_parse(run, piece_cut(&words, ','), &given, &error))
			return false;
	return true;
}

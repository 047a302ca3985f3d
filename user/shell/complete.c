/*
 * Completion of a command and, after commands that take programs, of a program and then of its settings.
 */
#include <string.h>

#include "heddle/system.h"
#include "user/program_run.h"
#include "user/shell/editor.h"
#include "user/shell/shell.h"

/* The words that begin like the text before the cursor. */
struct search {
	struct piece begun;
	struct text found; /* all of them */
	unsigned count;
	const char *first;
	size_t common; /* letters with which all of them begin */
};

static void consider(struct search *search, const char *word)
{
	if (strncmp(word, search->begun.text, search->begun.length) != 0)
		return;
	if (search->count++ == 0) {
		search->first = word;
		search->common = strlen(word);
	}
	size_t same = 0;
	while (same < search->common && word[same] == search->first[same])
		same++;
	search->common = same;
	text_add(&search->found, "  %s", word);
}

static void consider_commands(struct search *search)
{
	for (const struct command *command = shell_commands; command->name; command++)
		consider(search, command->name);
}

static void consider_programs(struct search *search)
{
	for (const struct program *const *entry = __start_heddle_programs; entry != __stop_heddle_programs;
	     entry++)
		consider(search, (*entry)->name);
}

/* The settings of the program that the word names. */
static void consider_settings(struct search *search, struct piece name)
{
	const struct program *program = program_find(name);
	for (const struct program_parameter *each = program ? program->parameters : NULL; each && each->name;
	     each++)
		consider(search, each->name);
}

static size_t blanks(const char *text)
{
	size_t count = 0;
	while (text[count] == ' ')
		count++;
	return count;
}

static void find(struct search *search, const char *line, size_t cursor)
{
	size_t begin = cursor, comma = cursor;
	while (begin > 0 && line[begin - 1] != ' ')
		begin--;
	while (comma > begin && line[comma - 1] != ',')
		comma--;
	bool is_first = blanks(line) == begin;
	search->begun =
	    (struct piece){line + (comma > begin ? comma : begin), cursor - (comma > begin ? comma : begin)};
	if (is_first) {
		consider_commands(search);
	} else if (comma > begin) {
		const char *rest = line + begin;
		consider_settings(search, piece_cut(&rest, ','));
	} else {
		consider_programs(search);
	}
}

/* What follows a word of this kind. */
static const char *behind(const struct search *search, const char *line)
{
	if (search->begun.text > line && search->begun.text[-1] == ',')
		return "=";
	return blanks(line) == (size_t)(search->begun.text - line) ? " " : "";
}

void shell_complete(struct editor *editor)
{
	static char list[HEDDLE_LINE_MAXIMUM];
	struct search search = {0};
	text_start(&search.found, list, sizeof(list));
	find(&search, editor->line, editor->cursor);
	if (search.count == 0)
		return;
	const char *more = search.count == 1 ? behind(&search, editor->line) : "";
	size_t typed = search.begun.length;
	if (search.common > typed || search.count == 1) {
		editor_insert(editor, search.first + typed, search.common - typed);
		editor_insert(editor, more, strlen(more));
	} else {
		heddle_print("%s", list);
	}
}

/*
 * The program `shell`: carries out lines typed on the serial line, at the keyboard or on the process's terminal; for
 * experiments without a new boot.
 */
#include "user/shell/shell.h"

#include <string.h>

#include "arch/arch.h"
#include "heddle/program.h"
#include "heddle/system.h"
#include "kernel/similar.h"
#include "user/program_list.h"
#include "user/program_run.h"
#include "user/shell/editor.h"
#include "user/shell/terminal.h"

#define PROMPT "heddle> "

static void help(const char *words);
static void list(const char *words);
static void shell_run(const char *words);
static void reboot(const char *words);
static void end(const char *words);

static bool has_ended;

const struct command shell_commands[] = {
    {"help", "help", "this", help},
    {"list", "list [PROGRAM]", "the programs, or the settings of one", list},
    {"run", "run PROGRAM[,KEY=VALUE...]... [&]", "run programs, one after the other; &: in the background",
     shell_run},
    {"tasks", "tasks", "each task, what it waits for, and circles of them", command_tasks},
    {"locks", "locks", "what tasks wait for: which task holds it, how many wait", command_locks},
    {"top", "top [SECONDS]", "what each processor does, over that time", command_top},
    {"trace", "trace on|off|show [EVENTS [WORD]]",
     "record events, or show the last ones, with WORD in them (trace= in the command line)", command_trace},
    {"reboot", "reboot", "restart the machine, or the program", reboot},
    {"exit", "exit", "end the shell, and what it runs in the background", end},
    {0}};

/* ------------------------------------------------------------------------------------------- commands -- */

static void help(const char *words)
{
	(void)words;
	for (const struct command *command = shell_commands; command->name; command++)
		heddle_print("  %-34s %s", command->usage, command->help);
	heddle_print(
	    "  Tab completes; up and down: earlier lines; control and C drops the line, or leaves a program "
	    "in the background;");
	heddle_print("  control and \\ reports what all tasks do, at any time.");
}

struct piece shell_word(const char **line)
{
	const char *at = *line;
	while (*at == ' ')
		at++;
	struct piece word = {at, 0};
	while (at[word.length] && at[word.length] != ' ')
		word.length++;
	at += word.length;
	while (*at == ' ')
		at++;
	*line = at;
	return word;
}

static void list(const char *words)
{
	struct piece name = shell_word(&words);
	if (name.length == 0) {
		program_print_list();
		return;
	}
	if (!program_print_one(name))
		heddle_print("list: there is no program %.*s", (int)name.length, name.text);
}

/* All are checked before one runs. */
static bool are_right(const char *words)
{
	static char error[HEDDLE_LINE_MAXIMUM], copy[EDITOR_LINE_MOST + 1];
	for (struct piece word = shell_word(&words); word.length > 0; word = shell_word(&words)) {
		memcpy(copy, word.text, word.length);
		copy[word.length] = 0;
		const char *rest = copy;
		struct piece name = piece_cut(&rest, ',');
		if (text_equal(name.text, name.length, "shell")) {
			heddle_print("run: this is the shell");
			return false;
		}
		if (!program_check(copy, error, sizeof(error))) {
			heddle_print("%s", error);
			return false;
		}
	}
	return true;
}

static void shell_run(const char *words)
{
	static char copy[EDITOR_LINE_MOST + 1];
	size_t length = strlen(words);
	bool behind = length > 0 && words[length - 1] == '&';
	memcpy(copy, words, length + 1);
	while (behind && length > 0 && (copy[length - 1] == '&' || copy[length - 1] == ' '))
		copy[--length] = 0;
	if (length == 0) {
		heddle_print("run: which program? list says which there are");
		return;
	}
	if (are_right(copy))
		jobs_run(copy, behind);
}

static void restart(void *unused)
{
	(void)unused;
	arch_restart();
}

static void reboot(const char *words)
{
	(void)words;
	heddle_print("shell: starts again");
	arch_call_on_processor_stack(restart, NULL);
}

static void end(const char *words)
{
	(void)words;
	has_ended = true;
}

/* ---------------------------------------------------------------------------------------------- lines -- */

static const struct command *find(struct piece name)
{
	for (const struct command *command = shell_commands; command->name; command++)
		if (text_equal(name.text, name.length, command->name))
			return command;
	return NULL;
}

static void say_unknown(struct piece name)
{
	struct similar search;
	similar_start(&search, name.text, name.length);
	for (const struct command *command = shell_commands; command->name; command++)
		similar_consider(&search, command->name, strlen(command->name));
	if (search.nearest)
		heddle_print("%.*s is no command; did you mean %s?", (int)name.length, name.text, search.nearest);
	else
		heddle_print("%.*s is no command; help lists them", (int)name.length, name.text);
}

/* False: the shell ends. */
static bool shell_carry_out(const char *line)
{
	struct piece name = shell_word(&line);
	const struct command *command = find(name);
	if (command)
		command->run(line);
	else if (name.length > 0)
		say_unknown(name);
	return !has_ended;
}

/* ----------------------------------------------------------------------------------------------- loop -- */

static struct editor editor;
static bool is_shown; /* the line is shown as it is now */

static void show(void)
{
	char text[4 * EDITOR_SHOWN];
	if (is_shown && !terminal_is_behind())
		return;
	editor_show(&editor, PROMPT, text, sizeof(text));
	terminal_write(text);
	is_shown = true;
}

/* An unfinished last line is kept as it is, and carried out. */
static bool finish_line(void)
{
	static char line[EDITOR_LINE_MOST + 1];
	bool overflowed = editor.overflowed;
	show();
	memcpy(line, editor.line, editor.length + 1);
	editor_begin(&editor);
	terminal_write("\n");
	if (overflowed) {
		heddle_print("shell: the line is longer than %d characters, and was not carried out",
		             EDITOR_LINE_MOST);
		return true;
	}
	return shell_carry_out(line);
}

/* False: the shell ends. */
static bool type(int byte)
{
	enum editor_event event = byte == ARCH_INPUT_END ? EDITOR_END : editor_type(&editor, (unsigned char)byte);
	is_shown = is_shown && event == EDITOR_NOTHING;
	switch (event) {
	case EDITOR_LINE:
		return finish_line();
	case EDITOR_COMPLETE:
		show();
		shell_complete(&editor);
		is_shown = false;
		break;
	case EDITOR_CANCEL:
		terminal_write("^C\n");
		break;
	case EDITOR_END:
		if (editor.length > 0)
			finish_line();
		terminal_write("\n");
		return false;
	case EDITOR_NOTHING:
	case EDITOR_CHANGED:
		break;
	}
	return true;
}

static bool run(struct program_run *run)
{
	(void)run;
	has_ended = false;
	terminal_start();
	heddle_print("shell: help lists the commands");
	for (bool goes_on = true; goes_on;) {
		int byte = terminal_read();
		if (byte != ARCH_INPUT_NONE) {
			goes_on = type(byte);
			continue;
		}
		jobs_report();
		show();
		terminal_wait();
	}
	if (jobs_count() > 0)
		heddle_print("shell: %u programs that run in the background end here", jobs_count());
	return true;
}

static const struct program_parameter parameters[] = {{0}};

HEDDLE_PROGRAM(shell, "commands from the serial line, the keyboard or the terminal: help lists them",
               parameters, run);

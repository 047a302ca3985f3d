/*
 * What the parts of the shell share: the commands, and what they are given.
 */
#ifndef USER_SHELL_SHELL_H
#define USER_SHELL_SHELL_H

#include <stdbool.h>

#include "user/text.h"

struct command {
	const char *name, *usage, *help;
	void (*run)(const char *words); /* what follows the name, without blanks around it */
};

extern const struct command shell_commands[]; /* ends with one without a name */

/* Carry out a line. False: the shell is to end. */
bool shell_carry_out(const char *line);

/* The word that begins here and the blanks behind it are cut off the line; an empty one: nothing is left. */
struct piece shell_word(const char **line);

/* Run the words of run=, and wait until it has ended, or somebody types control and C: then it goes on behind. */
void jobs_run(const char *words, bool behind);

/* Say what has ended behind since the last time. */
void jobs_report(void);

/* How many still run. */
unsigned jobs_count(void);

void command_tasks(const char *words);
void command_locks(const char *words);
void command_top(const char *words);
void command_trace(const char *words);

struct editor;

/* Complete the word before the cursor, as far as there is but one way; else print which there are. */
void shell_complete(struct editor *editor);

#endif

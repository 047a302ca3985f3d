/*
 * What the parts of the shell share: the commands and their arguments.
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

/* Cut the word at the beginning off the line, with the blanks after it; empty: nothing is left. */
struct piece shell_word(const char **line);

/* Run the words of run=, and wait until the program ends or control and C is typed: then it goes on in the
 * background. */
void jobs_run(const char *words, bool behind);

/* Report the background programs that have ended since the last call. */
void jobs_report(void);

/* How many still run. */
unsigned jobs_count(void);

void command_tasks(const char *words);
void command_locks(const char *words);
void command_top(const char *words);
void command_trace(const char *words);

struct editor;

/* Complete the word before the cursor as far as it is unambiguous, else print what is possible. */
void shell_complete(struct editor *editor);

#endif

/*
 * The programs that are linked in, and how main runs them.
 */
#ifndef USER_PROGRAM_LIST_H
#define USER_PROGRAM_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "user/text.h"

/* Check "NAME[,key=value...]" against the programs: names, keys, values. False: `error` says what is wrong, and lists
 * what is allowed. */
bool program_check(const char *words, char *error, size_t error_size);

/* Run it in the calling task. False: it failed; the reason is in the log. The words must have passed
 * program_check(). */
bool program_run_words(const char *words);

/* Print all programs with their parameters (list). */
void program_print_list(void);

/* Print the program of this name. False: there is none. */
bool program_print_one(struct piece name);

#endif

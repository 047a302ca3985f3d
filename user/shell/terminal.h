/*
 * The person at the terminal: bytes in, prompt and text out. One task uses it.
 */
#ifndef USER_SHELL_TERMINAL_H
#define USER_SHELL_TERMINAL_H

#include <stdbool.h>

/* Start taking typed bytes. */
void terminal_start(void);

/* The next byte, ARCH_INPUT_NONE or ARCH_INPUT_END. Also checks whether a report is requested. */
int terminal_read(void);

/* Whether control and C was typed, while nothing else reads input. What was typed before it is dropped, as terminals
 * do; everything after it is kept for terminal_read(). */
bool terminal_is_interrupted(void);

/* Let other tasks run until it is time to read again: soon, if something was typed lately. */
void terminal_wait(void);

/* Write text as it is. */
void terminal_write(const char *text);

/* Whether anything else was written since the last terminal_write(). */
bool terminal_is_behind(void);

#endif

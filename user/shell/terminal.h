/*
 * Whoever types: bytes in, prompt and text out. One task uses it.
 */
#ifndef USER_SHELL_TERMINAL_H
#define USER_SHELL_TERMINAL_H

#include <stdbool.h>

/* Have what is typed come in. */
void terminal_start(void);

/* The next byte, ARCH_INPUT_NONE or ARCH_INPUT_END. Also looks whether a report is asked for. */
int terminal_read(void);

/* Whether control and C was typed, while nobody wants anything else. What was typed before it is forgotten, as a
 * terminal does; all else is kept for terminal_read(). */
bool terminal_is_interrupted(void);

/* Let others run until it is time to read again: soon, where something was typed lately. */
void terminal_wait(void);

/* Put out text as it is. */
void terminal_write(const char *text);

/* Whether anything else was put out since the last terminal_write(). */
bool terminal_is_behind(void);

#endif

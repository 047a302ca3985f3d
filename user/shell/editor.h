/*
 * A line that is typed: bytes as terminals send them, keys for moving, deleting and history among them, become a line;
 * and what a terminal is to be sent so that it shows it: nothing but characters, carriage return and backspace, which
 * any screen knows. A line that is longer than the terminal is wide is shown in part, around the cursor.
 */
#ifndef USER_SHELL_EDITOR_H
#define USER_SHELL_EDITOR_H

#include <stdbool.h>
#include <stddef.h>

#define EDITOR_LINE_MOST    240 /* characters of a line */
#define EDITOR_HISTORY_MOST 16  /* lines that are kept */
#define EDITOR_SHOWN        64  /* characters of a line that are shown at once */

struct editor {
	char line[EDITOR_LINE_MOST + 1]; /* closed by a 0 */
	unsigned length, cursor;
	bool overflowed; /* more was typed than there is room for */
	char history[EDITOR_HISTORY_MOST][EDITOR_LINE_MOST + 1];
	unsigned history_count;              /* ever; the newest EDITOR_HISTORY_MOST are there */
	unsigned shown_back;                 /* the line is the one so many before; 0: it is a new one, */
	char new_line[EDITOR_LINE_MOST + 1]; /* which is here meanwhile */
	unsigned escape;                     /* where in an escape sequence the last byte was, */
	unsigned number;                     /* and the number in it */
};

enum editor_event {
	EDITOR_NOTHING,
	EDITOR_CHANGED,  /* show it again */
	EDITOR_LINE,     /* it is complete: line and length; editor_begin() comes next */
	EDITOR_COMPLETE, /* the word before the cursor is to be completed */
	EDITOR_CANCEL,   /* control and C: it was given up, and is empty */
	EDITOR_END       /* control and D on an empty line */
};

/* The next byte. */
enum editor_event editor_type(struct editor *editor, unsigned char byte);

/* Insert text at the cursor, as if it was typed. */
void editor_insert(struct editor *editor, const char *text, size_t length);

/* Keep the line in the history, and begin a new one. */
void editor_begin(struct editor *editor);

/* What shows the prompt and the line, written over what it was shown as before. `size` is 4 * EDITOR_SHOWN at least. */
void editor_show(const struct editor *editor, const char *prompt, char *text, size_t size);

#endif

/*
 * A line that is typed. Bytes come as terminals send them, including keys for moving, deleting and history. What the
 * terminal must be sent to show the line is only characters, carriage return and backspace, which any screen knows. A
 * line longer than EDITOR_SHOWN is shown in part, around the cursor.
 */
#ifndef USER_SHELL_EDITOR_H
#define USER_SHELL_EDITOR_H

#include <stdbool.h>
#include <stddef.h>

#define EDITOR_LINE_MOST    240 /* characters of a line */
#define EDITOR_HISTORY_MOST 16  /* number of lines kept */
#define EDITOR_SHOWN        64  /* characters of a line shown at once */

struct editor {
	char line[EDITOR_LINE_MOST + 1]; /* ends in a 0 */
	unsigned length, cursor;
	bool overflowed; /* more was typed than fits */
	char history[EDITOR_HISTORY_MOST][EDITOR_LINE_MOST + 1];
	unsigned history_count;              /* ever; the newest EDITOR_HISTORY_MOST are kept */
	unsigned shown_back;                 /* how many lines back the shown line is; 0: it is the new one, */
	char new_line[EDITOR_LINE_MOST + 1]; /* which is kept here meanwhile */
	unsigned escape;                     /* where in an escape sequence the last byte was */
	unsigned number;                     /* the number in it */
};

enum editor_event {
	EDITOR_NOTHING,
	EDITOR_CHANGED,  /* show it again */
	EDITOR_LINE,     /* the line is complete: line and length; call editor_begin() next */
	EDITOR_COMPLETE, /* complete the word before the cursor */
	EDITOR_CANCEL,   /* control and C: the line was discarded */
	EDITOR_END       /* control and D on an empty line */
};

/* Take the next byte. */
enum editor_event editor_type(struct editor *editor, unsigned char byte);

/* Insert text at the cursor, as if it was typed. */
void editor_insert(struct editor *editor, const char *text, size_t length);

/* Keep the line in the history, and begin a new one. */
void editor_begin(struct editor *editor);

/* The bytes that show prompt and line, over what was shown before. `size` is at least 4 * EDITOR_SHOWN. */
void editor_show(const struct editor *editor, const char *prompt, char *text, size_t size);

#endif

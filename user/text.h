/*
 * Text that grows piece by piece in a buffer of fixed size; what does not fit is cut. The buffer always holds
 * a closed string.
 */
#ifndef USER_TEXT_H
#define USER_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct text {
	char *buffer;
	size_t size, length;
	bool cut; /* something did not fit */
};

/* Start with nothing; `size` is at least 1. */
void text_start(struct text *text, char *buffer, size_t size);
void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Whether `length` characters from `piece` on are the string. */
bool text_equal(const char *piece, size_t length, const char *string);

/* A part of a string, not closed by a 0. */
struct piece {
	const char *text;
	size_t length;
};

/* Cut off the piece up to `end`, or all; *rest goes behind it, or to NULL where nothing more comes. */
struct piece piece_cut(const char **rest, char end);

#endif

/*
 * Text that grows piece by piece in a buffer of fixed size; what does not fit is cut. The buffer always holds a
 * string that ends in a 0.
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

/* Start with an empty text; `size` is at least 1. */
void text_start(struct text *text, char *buffer, size_t size);
void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Whether the `length` characters from `piece` on equal the string. */
bool text_equal(const char *piece, size_t length, const char *string);

/* A part of a string, without a closing 0. */
struct piece {
	const char *text;
	size_t length;
};

/* Whether the piece stands somewhere in the text. */
bool text_contains(const struct text *text, struct piece piece);

/* Cut off the piece up to `end`, or all of the text; *rest is what follows, or NULL if nothing does. */
struct piece piece_cut(const char **rest, char end);

#endif

#include "user/text.h"

#include <stdarg.h>
#include <string.h>

#include "kernel/format.h"

void text_start(struct text *text, char *buffer, size_t size)
{
	*text = (struct text){.buffer = buffer, .size = size};
	buffer[0] = 0;
}

void text_add(struct text *text, const char *format, ...)
{
	va_list arguments;
	size_t room = text->size - text->length;
	va_start(arguments, format);
	size_t wanted = format_arguments(text->buffer + text->length, room, format, arguments);
	va_end(arguments);
	text->cut = text->cut || wanted >= room;
	text->length += wanted < room ? wanted : room - 1;
}

bool text_equal(const char *piece, size_t length, const char *string)
{
	for (size_t i = 0; i < length; i++)
		if (!string[i] || piece[i] != string[i])
			return false;
	return !string[length];
}

bool text_contains(const struct text *text, struct piece piece)
{
	for (size_t start = 0; start + piece.length <= text->length; start++)
		if (memcmp(text->buffer + start, piece.text, piece.length) == 0)
			return true;
	return false;
}

struct piece piece_cut(const char **rest, char end)
{
	struct piece piece = {*rest, 0};
	while (piece.text[piece.length] && piece.text[piece.length] != end)
		piece.length++;
	*rest = piece.text[piece.length] ? piece.text + piece.length + 1 : NULL;
	return piece;
}

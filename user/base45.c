#include "user/base45.h"

static const char characters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";

#define BASE (sizeof(characters) - 1)

/* The lowest digit first. */
static char *put_digits(char *text, unsigned value, unsigned count)
{
	for (; count > 0; count--, value /= BASE)
		*text++ = characters[value % BASE];
	return text;
}

void base45_encode(char *text, const unsigned char *bytes, size_t length)
{
	for (; length >= 2; length -= 2, bytes += 2)
		text = put_digits(text, bytes[0] * 256u + bytes[1], 3);
	if (length > 0)
		put_digits(text, bytes[0], 2);
}

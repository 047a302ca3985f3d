/*
 * A program of a library that compresses: text goes through it and back, and must be what it was.
 */
#ifndef TOOLS_VERIFY_LIBRARIES_CODEC_H
#define TOOLS_VERIFY_LIBRARIES_CODEC_H

#include "program.h"

#define TEXT_SIZE ((size_t)60000)
#define ROOM      ((size_t)100000)

/* Returns how many bytes it has written; 0: it refuses. */
typedef size_t codec(const char *from, size_t size, char *to, size_t room);

static inline int codec_main(const char *library, codec *compress, codec *expand, int count, char **arguments)
{
	static char text[TEXT_SIZE], small[ROOM], again[ROOM];
	uint64_t sum = CHECKSUM_START;
	int right = 1;
	for (unsigned round = 0; round < rounds_of(count, arguments) && right; round++) {
		text_make(text, TEXT_SIZE, round);
		size_t size = compress(text, TEXT_SIZE, small, ROOM);
		right =
		    size > 0 && expand(small, size, again, ROOM) == TEXT_SIZE && memcmp(text, again, TEXT_SIZE) == 0;
		sum = checksum(sum, small, size);
	}
	return finish(library, sum, right);
}

#endif

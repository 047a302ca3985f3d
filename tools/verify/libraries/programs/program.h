/*
 * What the programs here share. A program works on text that is the same each time, ROUNDS times (its first argument, 1
 * if there is none), and prints a checksum of all that came out. It ends with status 1 if a library refused something.
 * Nothing here knows of Heddle.
 */
#ifndef TOOLS_VERIFY_LIBRARIES_PROGRAM_H
#define TOOLS_VERIFY_LIBRARIES_PROGRAM_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline unsigned rounds_of(int count, char **arguments)
{
	return count > 1 ? (unsigned)strtoul(arguments[1], NULL, 10) : 1;
}

#define CHECKSUM_START UINT64_C(0xcbf29ce484222325)

/* Continue the checksum `before` with these bytes. */
static inline uint64_t checksum(uint64_t before, const void *bytes, size_t count)
{
	const unsigned char *next = (const unsigned char *)bytes;
	for (size_t i = 0; i < count; i++)
		before = (before ^ next[i]) * UINT64_C(0x100000001b3);
	return before;
}

/* Words that come again and again, as in a language. */
static inline void text_make(char *text, size_t size, uint32_t seed)
{
	static const char *const words[] = {"warp",   "weft",  "heddle ", "the loom ", "shuttle", "a thread of ",
	                                    "shed, ", "reed ", "treadle", "and the ",  "0123 ",   "selvedge.\n"};
	size_t at = 0;
	while (at < size) {
		seed = seed * 1103515245 + 12345;
		const char *word = words[(seed >> 16) % 12];
		size_t length = strlen(word);
		if (length > size - at)
			length = size - at;
		memcpy(text + at, word, length);
		at += length;
		if (at < size && (seed >> 28) == 3)
			text[at++] = (char)(seed >> 20);
	}
}

/* The end of each main(). */
static inline int finish(const char *library, uint64_t sum, int right)
{
	printf("%s: %016llx\n", library, (unsigned long long)sum);
	return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif

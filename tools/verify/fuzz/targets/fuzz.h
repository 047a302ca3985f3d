/*
 * What the targets share. Each has LLVMFuzzerTestOneInput(), which passes bytes to one of the kernel's readers, under
 * AddressSanitizer and UndefinedBehaviorSanitizer, and checks that the result is what its header promises.
 */
#ifndef TOOLS_FUZZ_H
#define TOOLS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUZZ_CHECK(condition)                                                              \
	do {                                                                                   \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
			abort();                                                                       \
		}                                                                                  \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A copy of exactly this size, so that a read beyond it is detected. */
static inline void *fuzz_copy(const void *bytes, size_t size)
{
	void *copy = malloc(size ? size : 1);
	FUZZ_CHECK(copy);
	memcpy(copy, bytes, size);
	return copy;
}

/* A sentence for a person: ends in a 0, not empty, all printable. */
static inline void fuzz_check_sentence(const char *sentence, size_t room)
{
	size_t length = strnlen(sentence, room);
	FUZZ_CHECK(length > 0 && length < room);
}

struct boot_information;

/* The map of memory is as kernel/boot_information.h promises, and has nothing of [base, base + length). */
void fuzz_check_map(const struct boot_information *boot, uint64_t base, uint64_t length);

/* So are the strings and the framebuffer. */
void fuzz_check_boot(const struct boot_information *boot);

#endif

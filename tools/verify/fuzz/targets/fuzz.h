/*
 * What the targets share. Each has LLVMFuzzerTestOneInput(), which hands bytes to one of the kernel's readers, under
 * AddressSanitizer and UndefinedBehaviorSanitizer, and looks whether what comes out holds what its header promises.
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

/* A copy that ends where its memory ends, so that a read beyond is seen. */
static inline void *fuzz_copy(const void *bytes, size_t size)
{
	void *copy = malloc(size ? size : 1);
	FUZZ_CHECK(copy);
	memcpy(copy, bytes, size);
	return copy;
}

/* A sentence for a person: closed, not empty, all printable. */
static inline void fuzz_check_sentence(const char *sentence, size_t room)
{
	size_t length = strnlen(sentence, room);
	FUZZ_CHECK(length > 0 && length < room);
}

struct boot_information;

/* The map of memory is as kernel/boot_information.h says, and has nothing of [base, base + length). */
void fuzz_check_map(const struct boot_information *boot, uint64_t base, uint64_t length);

/* The strings and the framebuffer are, too. */
void fuzz_check_boot(const struct boot_information *boot);

#endif

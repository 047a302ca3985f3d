/*
 * The functions of <string.h> that the compiler calls on its own and that our code uses, for the bare machine and the
 * hosted build alike: Heddle's own code does not use the C library's (arch/hosted/README.md). Flags keep the compiler
 * from turning a loop in here into a call of the function itself (-ffreestanding,
 * -fno-tree-loop-distribute-patterns).
 */
#include <stdint.h>
#include <string.h>

#define COPY_BOTH_ENDS(type)                                                 \
	do {                                                                     \
		type first, last;                                                    \
		__builtin_memcpy(&first, from, sizeof(type));                        \
		__builtin_memcpy(&last, from + length - sizeof(type), sizeof(type)); \
		__builtin_memcpy(to, &first, sizeof(type));                          \
		__builtin_memcpy(to + length - sizeof(type), &last, sizeof(type));   \
	} while (0)

/* At most 16 bytes; the two ends may overlap in the middle. */
__attribute__((always_inline)) static inline void copy_short(uint8_t *to, const uint8_t *from, size_t length)
{
	if (length >= sizeof(uint64_t))
		COPY_BOTH_ENDS(uint64_t);
	else if (length >= sizeof(uint32_t))
		COPY_BOTH_ENDS(uint32_t);
	else
		for (size_t i = 0; i < length; i++)
			to[i] = from[i];
}

/* From the lowest byte upwards, except short ones, which are read whole first: so it is also right if the target is
 * below. */
__attribute__((always_inline)) static inline void *copy_upwards(void *target, const void *source,
                                                                size_t length)
{
	void *position = target;
	/* Messages are short, and the instruction takes long to start. */
	if (length <= 2 * sizeof(uint64_t))
		copy_short(target, source, length);
	else
		__asm__ volatile("rep movsb" : "+D"(position), "+S"(source), "+c"(length) : : "memory");
	return target;
}

void *memcpy(void *restrict target, const void *restrict source, size_t length)
{
	return copy_upwards(target, source, length);
}

void *memmove(void *target, const void *source, size_t length)
{
	/* As unsigned numbers: also true if the target is below the source. */
	if ((uintptr_t)target - (uintptr_t)source >= length)
		return copy_upwards(target, source, length);
	uint8_t *to = target;
	const uint8_t *from = source;
	while (length--)
		to[length] = from[length];
	return target;
}

void *memset(void *target, int value, size_t length)
{
	void *position = target;
	__asm__ volatile("rep stosb" : "+D"(position), "+c"(length) : "a"(value) : "memory");
	return target;
}

int memcmp(const void *left, const void *right, size_t length)
{
	const uint8_t *a = left, *b = right;
	for (size_t i = 0; i < length; i++) {
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	}
	return 0;
}

size_t strnlen(const char *text, size_t maximum)
{
	size_t length = 0;
	while (length < maximum && text[length])
		length++;
	return length;
}

size_t strlen(const char *text)
{
	return strnlen(text, SIZE_MAX);
}

int strncmp(const char *left, const char *right, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		uint8_t a = (uint8_t)left[i], b = (uint8_t)right[i];
		if (a != b)
			return a < b ? -1 : 1;
		if (!a)
			return 0;
	}
	return 0;
}

int strcmp(const char *left, const char *right)
{
	return strncmp(left, right, SIZE_MAX);
}

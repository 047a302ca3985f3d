/*
 * The functions of <string.h> that the compiler calls by itself and that our code uses. The build keeps the
 * compiler from turning a loop in here into a call of the very function (-ffreestanding,
 * -fno-tree-loop-distribute-patterns).
 */
#include <stdint.h>
#include <string.h>

void *memcpy(void *restrict target, const void *restrict source, size_t length)
{
	void *position = target;
	__asm__ volatile("rep movsb" : "+D"(position), "+S"(source), "+c"(length) : : "memory");
	return target;
}

void *memmove(void *target, const void *source, size_t length)
{
	/* As unsigned numbers: true also where the target is below the source. */
	if ((uintptr_t)target - (uintptr_t)source >= length)
		return memcpy(target, source, length);
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

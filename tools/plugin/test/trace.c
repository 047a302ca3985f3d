/* A nest of functions for the debugger: a large one, one whose stack pointer moves, a leaf with a red zone.
 */
#include <alloca.h>
#include <stdint.h>

#define NOINLINE __attribute__((noinline, noclone))

volatile uint64_t count = 60;

NOINLINE uint64_t leaf(uint64_t value)
{
	volatile uint64_t words[8] = {value};
	for (uint64_t i = 0; i < count; i++)
		words[i % 8] += words[(i + 3) % 8] * 5 + i;
	return words[3];
}

NOINLINE uint64_t middle(uint64_t value)
{
	uint64_t *words = alloca(8 * (value % 7 + 3));
	for (uint64_t i = 0; i < count; i++)
		words[i % 3] = value + i;
	return leaf(words[1]) + words[2];
}

NOINLINE uint64_t outer(uint64_t value, unsigned depth)
{
	uint64_t sum = depth ? outer(value + 1, depth - 1) : middle(value);
	for (uint64_t i = 0; i < count; i++)
		sum = sum * 3 + i;
	return sum;
}

int program_main(void)
{
	return (int)(outer(1, 3) & 1);
}

#include "user/bench/sieve.h"

#include <string.h>

#include "heddle/system.h"

/* A byte for each number up to `limit`: whether it has a factor. */
static void composites_mark(uint8_t *composite, uint32_t limit)
{
	memset(composite, 0, (size_t)limit + 1);
	for (uint64_t number = 2; number * number <= limit; number++)
		for (uint64_t multiple = number * number; !composite[number] && multiple <= limit; multiple += number)
			composite[multiple] = 1;
}

bool primes_create(struct primes *primes, uint32_t limit, size_t count)
{
	uint8_t *composite = heddle_allocate((size_t)limit + 1);
	*primes = (struct primes){.numbers = heddle_allocate(count * sizeof(uint32_t)), .room = count};
	if (composite && primes->numbers) {
		composites_mark(composite, limit);
		for (uint32_t number = limit; number >= 2 && primes->count < count; number--)
			if (!composite[number])
				primes->numbers[primes->count++] = number;
	} else
		primes_destroy(primes);
	heddle_free(composite, (size_t)limit + 1);
	return primes->numbers;
}

void primes_destroy(struct primes *primes)
{
	heddle_free(primes->numbers, primes->room * sizeof(uint32_t));
	primes->numbers = NULL;
}

unsigned factors_count(uint32_t number)
{
	unsigned count = 0;
	for (; number % 2 == 0; number /= 2)
		count++;
	for (uint32_t divisor = 3; divisor <= number / divisor; divisor += 2)
		for (; number % divisor == 0; number /= divisor)
			count++;
	return count + (number > 1);
}

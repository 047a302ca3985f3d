#include "user/bench/work.h"

bool work_create(struct work *work, struct program_run *run)
{
	uint64_t size = program_value(run, "size"), primes = program_value(run, "primes");
	work->section = program_value(run, "section");
	work->outside = program_value(run, "outside");
	if (!primes_create(&work->primes, (uint32_t)size, primes))
		return program_failed(run, "no memory for the primes up to %lu", size);
	if (map_create(&work->map, work->primes.count))
		return true;
	primes_destroy(&work->primes);
	return program_failed(run, "no memory for a map of %lu primes", primes);
}

void work_destroy(struct work *work)
{
	map_destroy(&work->map);
	primes_destroy(&work->primes);
}

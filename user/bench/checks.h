/*
 * The workloads of the program `checks`: single-task code, typical of programs. Each round does the same work, takes
 * about a millisecond on a current machine, and gives a known checksum, which another program in another language has
 * computed.
 *
 * The data of a workload are in memory that it is given, so that a compiler can neither compute the result nor leave
 * the work out.
 */
#ifndef USER_BENCH_CHECKS_H
#define USER_BENCH_CHECKS_H

#include <stddef.h>
#include <stdint.h>

#define WORKLOAD_BYTES ((size_t)1 << 20) /* for each workload, aligned to a page */
#define WORKLOAD_FITS(memory) \
	_Static_assert(sizeof(struct memory) <= WORKLOAD_BYTES, #memory " needs more than a workload may use")

struct workload {
	const char *name;
	void (*prepare)(void *memory);   /* once, before the first round; NULL: nothing to prepare */
	uint64_t (*round)(void *memory); /* returns the checksum */
	uint64_t operations;             /* of a round */
	uint64_t checksum;
};

/* checks_numbers.c: an operation is a multiplication and addition, a point, ..., a comparison. */
extern const struct workload workload_matrix, workload_mandelbrot, workload_vector, workload_nest;
/* checks_memory.c: an operation is a number sieved, a key inserted or looked up, a key sorted, a step. */
extern const struct workload workload_sieve, workload_hash, workload_sort, workload_list;
/* checks_control.c: an operation is a call, a character, an instruction of the interpreted machine. */
extern const struct workload workload_recursion, workload_strings, workload_interpreter;

/* The next of a sequence of pseudo-random numbers; the state may be any number. */
static inline uint32_t random_next(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 33);
}

/* A checksum that depends on the order of its values. */
static inline uint64_t checksum_add(uint64_t checksum, uint64_t value)
{
	return (checksum ^ value) * 0x100000001b3u;
}

#endif

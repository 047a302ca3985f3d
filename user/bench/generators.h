/*
 * What `sequence` and `hanoi` share: their forms, with a line for each.
 */
#ifndef USER_BENCH_GENERATORS_H
#define USER_BENCH_GENERATORS_H

#include <stdbool.h>
#include <stdint.h>

#include "heddle/program.h"
#include "heddle/scope.h"

HEDDLE_GLOBAL_BEGIN

#define GENERATORS_STACK 4096 /* bytes of an in-stack generator */

/* A form of the benchmark: the sum of its values for a size; 0: a generator could not be made. */
struct generators_form {
	const char *name; /* NULL ends the list */
	uint64_t (*sum)(uint64_t size);
};

/* Run each form `rounds` times, in turn, and print a line for each; a round has `values` values with the sum
 * `sum`. */
bool generators_measure(struct HEDDLE_SCOPE program_run *run, const struct generators_form *forms,
                        uint64_t size, uint64_t values, uint64_t sum);

/* A move of Hanoi as one number, and the function that is called for each move with `disks` disks. */
static inline uint64_t hanoi_move(uint64_t disk, uint64_t from, uint64_t to)
{
	return disk + (from << 8) + (to << 16);
}

/* The forms in C++. */
uint64_t sequence_range(uint64_t size);
uint64_t sequence_range_own(uint64_t size);
uint64_t hanoi_range(uint64_t disks);
uint64_t hanoi_range_own(uint64_t disks);

HEDDLE_GLOBAL_END

#endif

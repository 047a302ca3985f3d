/*
 * The cost of the compiler's quantum checks: workloads of one task, each with another kind of code. The program is
 * the same with and without checks; tools/measure/overhead compares the two.
 */
#include "heddle/program.h"
#include "heddle/system.h"
#include "user/bench/checks.h"

static const struct workload *const workloads[] = {
    &workload_matrix,    &workload_mandelbrot, &workload_vector,     &workload_nest,
    &workload_sieve,     &workload_hash,       &workload_sort,       &workload_list,
    &workload_recursion, &workload_strings,    &workload_interpreter};

#define WORKLOADS (sizeof(workloads) / sizeof(workloads[0]))

static bool workload_measure(struct program_run *run, const struct workload *workload, void *memory)
{
	uint64_t rounds = program_value(run, "rounds"), fastest = UINT64_MAX, duration = 0;
	if (workload->prepare)
		workload->prepare(memory);
	/* One extra round before the clock starts, to warm caches and page tables. */
	uint64_t checksum = workload->round(memory);
	bool ok = checksum == workload->checksum;
	for (uint64_t i = 0; i < rounds; i++) {
		uint64_t start = heddle_clock();
		ok &= workload->round(memory) == workload->checksum;
		uint64_t time = heddle_clock() - start;
		duration += time;
		if (time < fastest)
			fastest = time;
	}
	program_result_extra(run, "fastest_round_ns", fastest);
	program_result_extra(run, "checksum", checksum);
	return program_result(run, workload->name, rounds * workload->operations, duration, ok);
}

static bool run(struct program_run *run)
{
	uint64_t chosen = program_value(run, "workload");
	bool ok = true;
	void *memory = heddle_allocate(WORKLOAD_BYTES);
	if (!memory)
		return program_failed(run, "no memory for the %zu bytes that the workloads need", WORKLOAD_BYTES);
	for (size_t i = 0; i < WORKLOADS; i++)
		if (chosen == 0 || chosen == i + 1)
			ok &= workload_measure(run, workloads[i], memory);
	heddle_free(memory, WORKLOAD_BYTES);
	return ok;
}

static const struct program_parameter parameters[] = {
    {"workload", 0, 0, WORKLOADS,
     "1 matrix, 2 mandelbrot, 3 vector, 4 nest, 5 sieve, 6 hash, 7 sort, 8 list, 9 recursion, 10 strings, "
     "11 interpreter; 0: all"},
    {"rounds", 100, 1, 1000000, "how often each is done"},
    {0}};

HEDDLE_PROGRAM(checks, "what the compiler's checks cost, on single-task code of many kinds", parameters, run);

/*
 * The sieve of Eratosthenes as a pipeline of tasks (scheduler paper, Table 1: 10000). Each task takes the first
 * number that it receives, a prime, removes its multiples from all later ones, and passes the rest to the next task,
 * which it creates when needed and joins at the end. A task sends through a pipe on its own stack, which exists until
 * the next task has ended.
 */
#include "heddle/program.h"
#include "heddle/system.h"
#include "heddle/task.h"
#include "user/bench/pipe.h"

#define STACK_SIZE ((size_t)8192)
#define NO_MORE    0 /* the last number sent */

struct sieve {
	_Atomic uint64_t primes, primes_sum, handed_on;
	atomic_bool failed;
};

/* The link to the next task of the pipeline, owned by the task before it. */
struct link {
	struct sieve *sieve;
	struct task *next; /* NULL: none yet */
	struct pipe pipe;
};

static intptr_t stage(void *argument);

static void link_create(struct link *link, struct sieve *sieve)
{
	link->sieve = sieve;
	link->next = NULL;
	pipe_create(&link->pipe);
}

/* Pass a number to the next task, creating it if necessary. If it cannot be created, the number is lost and the sieve
 * has failed. */
static void link_send(struct link *link, uint32_t number)
{
	if (!link->next) {
		struct task_options options = HEDDLE_TASK_OPTIONS;
		options.name = "sieve";
		options.stack_size = STACK_SIZE;
		if (task_create(&link->next, stage, link, &options) != HEDDLE_OK) {
			link->next = NULL;
			atomic_store_explicit(&link->sieve->failed, true, memory_order_relaxed);
			return;
		}
		link->pipe.reader = link->next;
	}
	pipe_send(&link->pipe, number);
}

/* Send the end, and wait for the end of the next task, and so of all later ones. */
static void link_close(struct link *link)
{
	if (!link->next)
		return;
	pipe_send(&link->pipe, NO_MORE);
	if (task_join(link->next, NULL) != HEDDLE_OK)
		atomic_store_explicit(&link->sieve->failed, true, memory_order_relaxed);
}

static intptr_t stage(void *argument)
{
	struct link *input = argument;
	struct sieve *sieve = input->sieve;
	struct link output;
	uint32_t prime = pipe_receive(&input->pipe), number;
	uint64_t handed_on = 0;
	link_create(&output, sieve);
	while ((number = pipe_receive(&input->pipe)) != NO_MORE) {
		if (number % prime == 0)
			continue;
		link_send(&output, number);
		handed_on++;
	}
	link_close(&output);
	/* relaxed: read after the joins, which order them */
	atomic_fetch_add_explicit(&sieve->primes, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&sieve->primes_sum, prime, memory_order_relaxed);
	atomic_fetch_add_explicit(&sieve->handed_on, handed_on, memory_order_relaxed);
	return 0;
}

/* The same in one loop over a table of `limit` + 1 bytes. False: no memory for it. */
static bool primes_count(uint64_t limit, uint64_t *primes, uint64_t *sum)
{
	uint8_t *composite = heddle_allocate(limit + 1);
	if (!composite)
		return false;
	for (uint64_t number = 0; number <= limit; number++)
		composite[number] = 0;
	*primes = *sum = 0;
	for (uint64_t number = 2; number <= limit; number++) {
		if (composite[number])
			continue;
		++*primes;
		*sum += number;
		for (uint64_t multiple = number * number; multiple <= limit; multiple += number)
			composite[multiple] = 1;
	}
	heddle_free(composite, limit + 1);
	return true;
}

static bool run(struct program_run *run)
{
	uint64_t limit = program_value(run, "size"), primes, sum;
	struct sieve sieve = {0};
	struct link first;
	if (!primes_count(limit, &primes, &sum))
		return program_failed(run, "no memory for the %lu bytes of the plain sieve", limit + 1);
	uint64_t start = heddle_clock();
	link_create(&first, &sieve);
	for (uint32_t number = 2; number <= limit; number++)
		link_send(&first, number);
	link_close(&first);
	uint64_t duration = heddle_clock() - start;
	if (atomic_load_explicit(&sieve.failed, memory_order_relaxed))
		return program_failed(run, "no memory for a task for each of the %lu primes", primes);
	uint64_t found = atomic_load_explicit(&sieve.primes, memory_order_relaxed);
	uint64_t found_sum = atomic_load_explicit(&sieve.primes_sum, memory_order_relaxed);
	uint64_t handed_on = atomic_load_explicit(&sieve.handed_on, memory_order_relaxed) + limit - 1;
	program_result_extra(run, "primes", found);
	return program_result(run, NULL, handed_on, duration, found == primes && found_sum == sum);
}

static const struct program_parameter parameters[] = {
    {"size", 2000, 2, 10000000, "the primes up to this number are found, by a task each"}, {0}};

HEDDLE_PROGRAM(eratosthenes, "prime numbers by a pipeline of tasks (scheduler paper, Table 1)", parameters,
               run);

/*
 * Measure the costs of this host that a profile of a simulated machine contains (arch/simulated/README.md), and print
 * them as a profile: nanoseconds, each the least of many tries. Uses two processors of the host if there are two.
 */
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "chain.h"
#include "least.h"
#include "mix.h"

/* What counted code calls (tools/plugin/account.h): it counts, and nothing else. */
int32_t heddle_account_left;
uint64_t heddle_account_rax;
__asm__(".pushsection .text\n"
        ".globl heddle_account_read, heddle_account_write, heddle_account_atomic\n"
        ".globl heddle_account_read_early, heddle_account_read_early_flags\n"
        ".globl heddle_account_spent, heddle_account_fill8, heddle_account_divide4, heddle_account_divide8\n"
        ".globl heddle_account_divide4_flags, heddle_account_divide8_flags\n"
        ".globl heddle_account_read_flags, heddle_account_write_flags, heddle_account_atomic_flags\n"
        "heddle_account_read: heddle_account_write: heddle_account_atomic: heddle_account_read_early:\n"
        "heddle_account_read_early_flags: heddle_account_read_flags: heddle_account_write_flags: "
        "heddle_account_atomic_flags:\n"
        "movq heddle_account_rax(%rip), %rax\n"
        "heddle_account_spent: heddle_account_fill8: heddle_account_divide4: heddle_account_divide8:\n"
        "heddle_account_divide4_flags: heddle_account_divide8_flags: ret\n"
        ".popsection\n");

/* ----------------------------------------------------------------------------------------- one thread -- */

#define MIX_ROUNDS 100000

static uint64_t (*work)(uint64_t rounds); /* of mix.h */

static void run_work(uint64_t rounds)
{
	volatile uint64_t sum = work(rounds);
	(void)sum;
}

static double work_time(uint64_t (*function)(uint64_t rounds))
{
	work = function;
	return least(run_work, MIX_ROUNDS);
}

/* How many instructions a round has. */
static double instructions_of(uint64_t (*counted)(uint64_t rounds))
{
	heddle_account_left = INT32_MAX;
	counted(1000);
	int32_t before = heddle_account_left;
	heddle_account_left = INT32_MAX;
	counted(1000 + MIX_ROUNDS);
	return (double)(before - heddle_account_left) / MIX_ROUNDS;
}

/* Of ordinary code: instructions a nanosecond, as many of each kind. */
static double rate(double (*time)(uint64_t (*function)(uint64_t rounds)))
{
	static uint64_t (*const kinds[][2])(uint64_t rounds) = {
	    {mix_run, mix_run_counted}, {mix_sort, mix_sort_counted}, {mix_text, mix_text_counted}};
	const size_t count = sizeof(kinds) / sizeof(*kinds);
	double total = 0;
	for (size_t i = 0; i < count; i++)
		total += time(kinds[i][0]) / instructions_of(kinds[i][1]);
	return (double)count / total;
}

static double least_of_0(double time)
{
	return time > 0 ? time : 0;
}

/* What a division takes beyond the time of the instructions around it. */
static double divide_time(uint64_t (*function)(uint64_t), uint64_t (*counted)(uint64_t), double alone)
{
	return least_of_0(work_time(function) - instructions_of(counted) / alone) / MIX_DIVIDE;
}

/* What an atomic operation takes among such instructions as there are around it in a lock. */
static double locked_time(double alone)
{
	double instructions = instructions_of(mix_locked_counted) - instructions_of(mix_run_counted);
	return least_of_0(work_time(mix_locked) - work_time(mix_run) - instructions / alone) / MIX_LOCKED;
}

static void run_clock(uint64_t count)
{
	struct timespec time;
	for (uint64_t i = 0; i < count; i++)
		clock_gettime(CLOCK_MONOTONIC, &time);
}

static void run_pause(uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		__builtin_ia32_pause();
}

static void run_settle(uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

/* ---------------------------------------------------------------------------------------- two threads -- */

static int first_processor, second_processor; /* the second below 0: there is one only */

static void find_processors(void)
{
	cpu_set_t set;
	int found[2] = {-1, -1}, count = 0;
	sched_getaffinity(0, sizeof(set), &set);
	for (int i = 0; i < CPU_SETSIZE && count < 2; i++)
		if (CPU_ISSET(i, &set))
			found[count++] = i;
	first_processor = found[0];
	second_processor = found[1];
}

static void pin(int processor)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(processor, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static _Alignas(LINE) _Atomic uint64_t ball;
static _Alignas(LINE) atomic_bool ends;

/* Change the word from its own value to the other's. */
static void play(uint64_t count, uint64_t own)
{
	for (uint64_t i = 0; i < count; i++) {
		uint64_t expected = own;
		while (!atomic_compare_exchange_strong(&ball, &expected, 1 - own)) {
			expected = own;
			if (atomic_load_explicit(&ends, memory_order_relaxed))
				return;
		}
	}
}

static void *other_plays(void *unused)
{
	(void)unused;
	pin(second_processor);
	play(UINT64_MAX, 1);
	return NULL;
}

static void run_ball(uint64_t count)
{
	play(count, 0);
}

static void *other_mixes(void *unused)
{
	(void)unused;
	pin(second_processor);
	while (!atomic_load_explicit(&ends, memory_order_relaxed)) {
		volatile uint64_t sum = mix_run(1000);
		(void)sum;
	}
	return NULL;
}

/* While another thread does something on the second processor. */
static double least_beside(void *(*other)(void *), void (*function)(uint64_t), uint64_t count)
{
	pthread_t thread;
	atomic_store(&ends, false);
	if (pthread_create(&thread, NULL, other, NULL) != 0)
		exit(EXIT_FAILURE);
	double found = least(function, count);
	atomic_store(&ends, true);
	pthread_join(thread, NULL);
	return found;
}

static _Alignas(LINE) _Atomic uint32_t bell;
static _Alignas(LINE) _Atomic uint64_t woken_at;

static void *other_sleeps(void *unused)
{
	(void)unused;
	pin(second_processor);
	while (!atomic_load(&ends)) {
		syscall(SYS_futex, &bell, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
		if (atomic_exchange(&bell, 0))
			atomic_store(&woken_at, (uint64_t)now());
	}
	return NULL;
}

static int compare(const void *one, const void *other)
{
	double a = *(const double *)one, b = *(const double *)other;
	return (a > b) - (a < b);
}

#define WAKES 201

/* What it takes one to wake the other, and the other to be awake after that: medians. */
static void measure_wake(double *send, double *arrive)
{
	pthread_t thread;
	double sends[WAKES], arrives[WAKES];
	atomic_store(&ends, false);
	if (pthread_create(&thread, NULL, other_sleeps, NULL) != 0)
		exit(EXIT_FAILURE);
	for (unsigned i = 0; i < WAKES; i++) {
		usleep(300); /* until it sleeps */
		atomic_store(&woken_at, 0);
		double start = now();
		atomic_store(&bell, 1);
		syscall(SYS_futex, &bell, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
		double sent = now(), awake;
		while ((awake = (double)atomic_load(&woken_at)) == 0)
			;
		sends[i] = sent - start;
		arrives[i] = awake > sent ? awake - sent : 0;
	}
	atomic_store(&ends, true);
	atomic_store(&bell, 1);
	syscall(SYS_futex, &bell, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	pthread_join(thread, NULL);
	qsort(sends, WAKES, sizeof(double), compare);
	qsort(arrives, WAKES, sizeof(double), compare);
	*send = sends[WAKES / 2];
	*arrive = arrives[WAKES / 2];
}

/* ---------------------------------------------------------------------------------------------- print -- */

#define OWN_KIB 1024 /* where the host does not tell */

/* The size of the second-level cache, which each core has for itself. */
static unsigned own_kib(void)
{
	FILE *file = fopen("/sys/devices/system/cpu/cpu0/cache/index2/size", "r");
	unsigned kib;
	if (!file || fscanf(file, "%uK", &kib) != 1)
		kib = OWN_KIB;
	if (file)
		fclose(file);
	return kib;
}

/* The costs between two processors; with one there is nothing to measure, and nothing that uses them. */
struct pair {
	double beside; /* instructions a nanosecond */
	double line, send, arrive;
};

static double work_time_beside(uint64_t (*function)(uint64_t rounds))
{
	work = function;
	return least_beside(other_mixes, run_work, MIX_ROUNDS);
}

static struct pair measure_pair(void)
{
	struct pair pair = {.beside = 1, .line = 50, .send = 1000, .arrive = 5000};
	if (second_processor < 0)
		return pair;
	pair.beside = rate(work_time_beside);
	/* Two lines move for each turn of the ball. */
	pair.line = least_beside(other_plays, run_ball, 100000) / 2;
	measure_wake(&pair.send, &pair.arrive);
	return pair;
}

static void print_profile(double alone, const struct pair *pair)
{
	bool threads = pair->beside < 0.85 * alone;
	unsigned kib = own_kib();
	double shared = chain_time((size_t)kib * 1024 * 6, false), memory = chain_time(CHAIN_MOST, false);
	unsigned reads = chain_reads_at_once(memory);
	printf("{\n  \"name\": \"this host\",\n  \"sources\": [\n"
	       "    \"tools/measure/simulated/host.c, which measures all but what follows\",\n"
	       "    \"invalidate, serve, stores, reorder: assumed, as of other processors of today\"\n  ],\n");
	printf("  \"sockets\": 1, \"caches_a_socket\": 1, \"cores_a_cache\": %d, \"threads_a_core\": %d,\n",
	       threads ? 1 : 2, threads ? 2 : 1);
	printf("  \"instructions\": {\"alone\": %.2f, \"beside\": %.2f},\n", alone, pair->beside);
	printf("  \"divide\": {\"bytes4\": %.2f, \"bytes8\": %.2f},\n",
	       divide_time(mix_divide4, mix_divide4_counted, alone),
	       divide_time(mix_divide8, mix_divide8_counted, alone));
	printf("  \"locked\": %.2f, \"clock\": %.2f, \"pause\": %.2f,\n", locked_time(alone),
	       least(run_clock, 100000), least(run_pause, 100000));
	printf("  \"line\": {\"cache\": %.1f, \"socket\": %.1f, \"machine\": %.1f, \"shared_cache\": %.1f},\n",
	       pair->line, pair->line, pair->line, shared);
	printf("  \"memory\": {\"near\": %.1f, \"far\": %.1f, \"stream\": %.2f},\n", memory, memory,
	       chain_time(CHAIN_MOST, true));
	printf("  \"invalidate\": 1, \"serve\": 8,\n  \"own_cache\": {\"kib\": %u, \"ways\": 8},\n", kib);
	printf("  \"stores\": 64, \"reads\": %u, \"reorder\": 256,\n  \"wake\": {\"send\": %.0f, \"arrive\": "
	       "%.0f}, \"halt\": "
	       "%.0f, "
	       "\"interrupt\": %.0f, \"settle\": %.0f\n}\n",
	       reads, pair->send, pair->arrive, pair->send, pair->arrive, least(run_settle, 1000));
}

int main(void)
{
	find_processors();
	pin(first_processor);
	syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
	if (!chain_create())
		return EXIT_FAILURE;
	double alone = rate(work_time);
	struct pair pair = measure_pair();
	if (second_processor < 0)
		pair.beside = alone;
	print_profile(alone, &pair);
	return EXIT_SUCCESS;
}

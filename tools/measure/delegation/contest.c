/*
 * Threads that share an array behind one lock, by the interface of the delegation paper's library: compiled once
 * against that and once against user/delegation/, without a change.
 *
 *     contest KIND WAY THREADS MILLISECONDS OUTSIDE INSIDE READS
 *
 * KIND: qd, mrqd, tatas, mcs, drmcs, ccsynch. WAY: delegate, wait, lock. OUTSIDE: turns of work between two sections;
 * INSIDE: numbers that a section increments, a cache line each; READS: of 100 sections so many only read.
 * It prints the sections a second, and ends with 1 if a section was lost.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "locks/locks.h"

#define NUMBERS 64

struct line {
	_Alignas(64) unsigned long number;
};

static struct line lines[NUMBERS];
static OOLock *lock;
static const char *way;
static unsigned long outside, inside, reads;
static bool ends; /* without the atomic types of C11: the library has its own */

struct worker {
	_Alignas(64) pthread_t thread;
	unsigned long random, sections, writes, read;
};

static void section(unsigned int size, void *message)
{
	(void)size;
	unsigned long first = *(unsigned long *)message;
	for (unsigned long i = 0; i < inside; i++)
		lines[(first + i) % NUMBERS].number++;
}

static unsigned long draw(struct worker *worker)
{
	worker->random = worker->random * 6364136223846793005UL + 1442695040888963407UL;
	return worker->random >> 33;
}

static void do_write(struct worker *worker)
{
	unsigned long first = draw(worker) % NUMBERS;
	worker->writes++;
	if (strcmp(way, "delegate") == 0) {
		LL_delegate(lock, section, sizeof first, &first);
	} else if (strcmp(way, "wait") == 0) {
		LL_delegate_wait(lock, section, sizeof first, &first);
	} else {
		LL_lock(lock);
		section(sizeof first, &first);
		LL_unlock(lock);
	}
}

static void do_read(struct worker *worker)
{
	unsigned long first = draw(worker) % NUMBERS;
	LL_rlock(lock);
	for (unsigned long i = 0; i < inside; i++)
		worker->read += lines[(first + i) % NUMBERS].number;
	LL_runlock(lock);
}

static void *work(void *argument)
{
	struct worker *worker = argument;
	while (!__atomic_load_n(&ends, __ATOMIC_RELAXED)) {
		if (draw(worker) % 100 < reads)
			do_read(worker);
		else
			do_write(worker);
		worker->sections++;
		for (volatile unsigned long i = 0; i < outside; i++)
			;
	}
	return NULL;
}

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static OOLock *lock_create(const char *kind)
{
	if (strcmp(kind, "qd") == 0)
		return LL_create(QD_LOCK);
	if (strcmp(kind, "mrqd") == 0)
		return LL_create(MRQD_LOCK);
	if (strcmp(kind, "tatas") == 0)
		return LL_create(TATAS_LOCK);
	if (strcmp(kind, "mcs") == 0)
		return LL_create(MCS_LOCK);
	if (strcmp(kind, "drmcs") == 0)
		return LL_create(DRMCS_LOCK);
	return LL_create(CCSYNCH_LOCK);
}

int main(int count, char **words)
{
	if (count != 8)
		return fprintf(stderr, "contest: KIND WAY THREADS MILLISECONDS OUTSIDE INSIDE READS\n"), 2;
	unsigned long threads = strtoul(words[3], NULL, 10), milliseconds = strtoul(words[4], NULL, 10);
	outside = strtoul(words[5], NULL, 10);
	inside = strtoul(words[6], NULL, 10);
	reads = strtoul(words[7], NULL, 10);
	way = words[2];
	lock = lock_create(words[1]);
	struct worker *workers = aligned_alloc(64, threads * sizeof *workers);
	if (!workers)
		return fprintf(stderr, "contest: no memory for %lu threads\n", threads), 2;
	double start = now();
	for (unsigned long i = 0; i < threads; i++) {
		workers[i] = (struct worker){.random = i + 1};
		if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
			return fprintf(stderr, "contest: no thread\n"), 2;
	}
	struct timespec length = {(time_t)(milliseconds / 1000), (long)(milliseconds % 1000) * 1000000};
	nanosleep(&length, NULL);
	__atomic_store_n(&ends, true, __ATOMIC_RELAXED);
	unsigned long sections = 0, writes = 0, sum = 0;
	for (unsigned long i = 0; i < threads; i++) {
		pthread_join(workers[i].thread, NULL);
		sections += workers[i].sections;
		writes += workers[i].writes;
	}
	double seconds = now() - start;
	/* All that was delegated before has run then. */
	LL_lock(lock);
	for (unsigned i = 0; i < NUMBERS; i++)
		sum += lines[i].number;
	LL_unlock(lock);
	printf("%.0f\n", (double)sections / seconds);
	free(workers);
	if (sum == writes * inside)
		return 0;
	fprintf(stderr, "contest: %lu increments instead of %lu: sections were lost\n", sum, writes * inside);
	return 1;
}

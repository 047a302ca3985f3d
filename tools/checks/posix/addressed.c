/* A signal that is sent to one thread is taken by that thread, though others wait for the same. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>

#include "check.h"

#define THREADS 6
#define ROUNDS  60

static sem_t taken;
static int last = -1;
static sigset_t awaited;

static void *take(void *number)
{
	for (int round = 0; round < ROUNDS / THREADS; round++) {
		int signal_number = 0;
		if (round % 2)
			CHECK_EQUAL(sigwait(&awaited, &signal_number), 0);
		else
			signal_number = sigwaitinfo(&awaited, NULL);
		CHECK_EQUAL(signal_number, SIGUSR1);
		last = *(const int *)number;
		CHECK_EQUAL(sem_post(&taken), 0);
	}
	return NULL;
}

int main(void)
{
	const struct timespec at_once = {0, 0};
	pthread_t threads[THREADS];
	int numbers[THREADS];
	sigemptyset(&awaited);
	sigaddset(&awaited, SIGUSR1);
	CHECK_EQUAL(pthread_sigmask(SIG_BLOCK, &awaited, NULL), 0);
	CHECK_EQUAL(sem_init(&taken, 0, 0), 0);
	for (int i = 0; i < THREADS; i++) {
		numbers[i] = i;
		CHECK_EQUAL(pthread_create(&threads[i], NULL, take, &numbers[i]), 0);
	}
	for (int round = 0; round < ROUNDS; round++) {
		int chosen = round * 5 % THREADS;
		CHECK_EQUAL(pthread_kill(threads[chosen], SIGUSR1), 0);
		CHECK_EQUAL(sem_wait(&taken), 0);
		CHECK_EQUAL(last, chosen);
	}
	for (int i = 0; i < THREADS; i++)
		CHECK_EQUAL(pthread_join(threads[i], NULL), 0);
	CHECK_EQUAL(pthread_kill(pthread_self(), SIGUSR1), 0);
	CHECK_EQUAL(sigtimedwait(&awaited, NULL, &at_once), SIGUSR1);
	CHECK_EQUAL(sigtimedwait(&awaited, NULL, &at_once), -1);
	puts("done");
	return 0;
}

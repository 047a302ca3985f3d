/* The delegation paper's shared integer, multiplied by several threads. */
#include <pthread.h>
#include <stdio.h>

#include "locks/locks.h"

typedef struct {
	MRQDLock lock;
	int value;
} SharedInteger;

static SharedInteger shared = {.value = 1};

static void multiply(unsigned int size, void *message)
{
	(void)size;
	shared.value = (int)((long)shared.value * *(int *)message % 1009);
}

static void *thread(void *unused)
{
	int factor = 3;
	for (int i = 0; i < 100; i++)
		LL_delegate(&shared.lock, multiply, sizeof(factor), &factor);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	LL_initialize(&shared.lock);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, thread, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	LL_rlock(&shared.lock);
	printf("%d\n", shared.value);
	LL_runlock(&shared.lock);
	LL_destroy(&shared.lock);
	return 0;
}

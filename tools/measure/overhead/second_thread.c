/*
 * What a program is linked with to have a second thread, which sleeps.
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void *sleep_on(void *argument)
{
	for (;;)
		pause();
	return argument;
}

__attribute__((constructor)) static void second_thread_start(void)
{
	pthread_t thread;
	if (pthread_create(&thread, NULL, sleep_on, NULL) != 0)
		abort();
}

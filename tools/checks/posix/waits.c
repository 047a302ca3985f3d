/*
 * Programs that signals end: one that waits in the C library from its first statement on, and one that writes to a pipe
 * for ever. And one that waits for what another thread writes.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int ends[2];

static void *write_one(void *unused)
{
	return write(ends[1], "x", 1) == 1 ? unused : NULL;
}

static void *write_later(void *unused)
{
	usleep(20000);
	return write_one(unused);
}

static int read_from(void *(*writer)(void *))
{
	pthread_t thread;
	char byte;
	pthread_create(&thread, NULL, writer, NULL);
	ssize_t count = read(ends[0], &byte, 1);
	pthread_join(thread, NULL);
	return count != 1;
}

static void *yes(void *unused)
{
	while (puts("y") >= 0)
		continue;
	return unused;
}

int main(int count, char **arguments)
{
	char byte;
	pthread_t thread;
	if (count != 2 || pipe(ends) != 0)
		return 9;
	if (strcmp(arguments[1], "read") == 0)
		return (int)read(ends[0], &byte, 1);
	if (strcmp(arguments[1], "pause") == 0)
		return pause();
	if (strcmp(arguments[1], "now") == 0)
		return read_from(write_one);
	if (strcmp(arguments[1], "later") == 0)
		return read_from(write_later);
	if (strcmp(arguments[1], "thread") != 0)
		yes(NULL);
	pthread_create(&thread, NULL, yes, NULL);
	pthread_join(thread, NULL);
	return 8; /* it was not ended */
}

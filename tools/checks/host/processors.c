/*
 * Simulates a host with 4,096 processors, of which this process may use three with high numbers: the two functions of
 * the C library that report and set that are replaced here.
 */
#include <errno.h>
#include <sched.h>
#include <stdatomic.h>

#include <heddle/system.h>

#include "check.h"

#define NUMBERS 4096

static const int allowed[] = {1023, 1500, 4095};

#define ALLOWED (int)(sizeof(allowed) / sizeof(*allowed))

static atomic_int pinned[NUMBERS];

int sched_getaffinity(pid_t thread, size_t size, cpu_set_t *set)
{
	(void)thread;
	if (size < NUMBERS / 8) {
		errno = EINVAL; /* as the kernel does */
		return -1;
	}
	memset(set, 0, size);
	for (int i = 0; i < ALLOWED; i++)
		CPU_SET_S((size_t)allowed[i], size, set);
	return 0;
}

int sched_setaffinity(pid_t thread, size_t size, const cpu_set_t *set)
{
	(void)thread;
	for (size_t number = 0; number < size * 8 && number < NUMBERS; number++)
		if (CPU_ISSET_S(number, size, set))
			atomic_fetch_add(&pinned[number], 1);
	return 0;
}

static intptr_t count_processors(void *unused)
{
	(void)unused;
	return heddle_processors();
}

static void check_start(const char *words, int expected)
{
	intptr_t count = 0;
	CHECK(heddle_start(words) == HEDDLE_OK);
	CHECK(heddle_run(count_processors, NULL, &count) == HEDDLE_OK);
	CHECK(heddle_stop() == 0);
	CHECK(count == expected);
}

int main(void)
{
	check_start("", ALLOWED);
	for (int i = 0; i < ALLOWED; i++)
		CHECK(pinned[allowed[i]] == 1);
	check_start("processors=6", 6);
	int all = 0;
	for (int number = 0; number < NUMBERS; number++)
		all += pinned[number];
	CHECK(all == 9);
	for (int i = 0; i < ALLOWED; i++)
		CHECK(pinned[allowed[i]] == 3);
	puts("done");
	return 0;
}

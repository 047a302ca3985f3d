/*
 * The program around the tasks. It runs on a thread of Linux's, so it is compiled without the plugin:
 *
 *     gcc -O2 -Iuser/include -c main.c
 *     gcc main.o tasks.o build/hosted/libheddle.a -pthread -o race
 */
#include <heddle/host.h>
#include <stdio.h>

#include "tasks.h"

int main(void)
{
	struct race race = {0};
	intptr_t turns = -1;
	if (heddle_start("processors=1 quantum=10000") != HEDDLE_OK ||
	    heddle_run(race_run, &race, &turns) != HEDDLE_OK)
		return 1;
	printf("%d runners finished while the waiter looked %s\n", race.finished,
	       turns > 0 ? "again and again" : "not at all");
	return heddle_stop() != 0 || turns <= 0;
}

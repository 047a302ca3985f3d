#include "arch/simulated/machine/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "arch/simulated/machine/simulator.h"

#define INTERVAL 0.5 /* seconds */

static bool shows, shown;
static double start, last;
static uint64_t last_needs;

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

void progress_start(void)
{
	shows = isatty(STDERR_FILENO);
	start = last = now();
}

void progress_look(uint64_t time)
{
	double at = shows ? now() : 0;
	if (!shows || at - last < INTERVAL)
		return;
	fprintf(stderr, "\rheddle: %.3f ms simulated in %.1f s, %.1f million lines moved a second\033[K",
	        (double)time / 1e9, at - start,
	        (double)(simulator_counts.needs - last_needs) / (at - last) / 1e6);
	last_needs = simulator_counts.needs;
	last = at;
	shown = true;
}

void progress_stop(void)
{
	progress_clear();
	shows = false;
}

void progress_clear(void)
{
	if (shown)
		fputs("\r\033[K", stderr);
	shown = false;
}

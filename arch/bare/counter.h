/*
 * Counters of a known frequency, with which the time-stamp counter is measured; measuring one counter by another.
 */
#ifndef ARCH_BARE_COUNTER_H
#define ARCH_BARE_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

struct counter {
	const char *name;
	uint64_t frequency; /* a second; at most 10^9 */
	uint64_t mask;      /* the bits that it has; it wraps around */
	uint64_t (*read)(void);
};

/* Counters that a machine may have, best first; from number COUNTERS_FAST on they are too slow to be read between two
 * changes. False: this machine lacks that counter. There are no numbers from COUNTERS on. Only the counter found last
 * may be read. */
#define COUNTERS_FAST 3
#define COUNTERS      4
bool counter_find(unsigned number, struct counter *counter);

/* One instant, in both counters. */
struct counter_mark {
	uint64_t cycles, count;
};

/* Read both at once, or nearly so: of several tries, the one that took least time. */
struct counter_mark counter_mark(const struct counter *counter);

/* A mark after `ticks` of the counter. False: the counter stands still. */
bool counter_wait(const struct counter *counter, struct counter_mark start, uint64_t ticks,
                  struct counter_mark *end);

/* A mark at the next change of a slow counter. False: it stands still. */
bool counter_change(const struct counter *counter, struct counter_mark *mark);

#endif

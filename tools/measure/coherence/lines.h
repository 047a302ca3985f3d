/*
 * The model of the caches: every processor has a cache of unlimited size, with lines of 64 bytes, kept coherent by
 * invalidation (MSI). For each line it records which processors hold it, and which wrote it last.
 *
 *     a processor reads a line that    it holds                          nothing
 *                                      only others hold                  a transfer, if any processor has written it
 *     a processor writes a line that   only it holds                     nothing
 *                                      it and others hold                an invalidation
 *                                      only others hold                  a transfer (with what it invalidates)
 *     an access to a line that no processor holds comes from memory: not counted
 *
 * A transfer crosses sockets if no processor on the same socket holds the line, or if it is a write and a processor
 * on another socket holds it; an invalidation does if a processor on another socket holds it.
 *
 * Not thread-safe: the caller makes sure that one processor at a time is in here.
 */
#ifndef COHERENCE_LINES_H
#define COHERENCE_LINES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define LINE_SIZE          64
#define PROCESSORS_MAXIMUM 64

/* What a line belongs to. */
enum region { REGION_REST, REGION_LOCK, REGION_DATA, REGION_OWN, REGIONS };

struct traffic {
	uint64_t reads, writes; /* accesses */
	uint64_t transfers, transfers_between_sockets;
	uint64_t invalidations, invalidations_between_sockets;
};

/* Memory from 0 to `bytes`, `processors` in as many equal `sockets`. False: that is not possible, or no memory. */
bool lines_create(uint64_t bytes, unsigned processors, unsigned sockets);

/* From now on the line at that address belongs to that region. What is not in memory is ignored, here and
 * below. */
void line_label(uint64_t address, enum region region);

/* A processor reads or writes there; this is counted, or only remembered. Returns whether it was a transfer or an
 * invalidation, and the line's region. */
bool line_access(unsigned processor, uint64_t address, bool writes, bool counts, enum region *region);

const char *region_name(enum region region);

/* A line for each region: "region NAME" and the numbers of struct traffic. */
void lines_print(FILE *file);

#endif

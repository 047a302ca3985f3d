/*
 * The cores' own caches, where the profile gives them a size: which lines each still has.
 */
#ifndef MACHINE_OWN_CACHE_H
#define MACHINE_OWN_CACHE_H

#include <stdbool.h>
#include <stdint.h>

/* Make the caches of the profile. False: the host has no memory. */
bool own_caches_create(void);

/* A core has got a line. A line is given by its place in the directory, not 0. True: the line `*evicted` had to make
 * room; the core may have lost it before. */
bool own_cache_add(unsigned core, uint32_t line, uint32_t *evicted);

#endif

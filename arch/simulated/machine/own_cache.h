/*
 * The cores' own caches, where the profile gives them a size: which lines each has room for.
 */
#ifndef MACHINE_OWN_CACHE_H
#define MACHINE_OWN_CACHE_H

#include <stdbool.h>
#include <stdint.h>

/* As the profile says. False: the host has no memory. */
bool own_caches_create(void);

/* A core has got a line, by its place in the directory, which is not 0. True: another, `*evicted`, had to make room;
 * the core may have lost that one before. */
bool own_cache_add(unsigned core, uint32_t line, uint32_t *evicted);

#endif

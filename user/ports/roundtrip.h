/*
 * A text made of a seed, compressed and restored by zlib, with every checksum compared. Needs nothing of
 * Heddle: tools/checks/ports_reference.c does the same with the host's C library.
 */
#ifndef USER_PORTS_ROUNDTRIP_H
#define USER_PORTS_ROUNDTRIP_H

#include <stddef.h>
#include <stdint.h>

struct roundtrip {
	uint64_t seed;
	size_t bytes; /* of the text */
	int level;    /* 0 to 9, as zlib counts */
	void *(*allocate)(void *memory, unsigned count, unsigned bytes);
	void (*release)(void *memory, void *block);
	void *memory;
	/* the results */
	size_t packed_bytes;
	uint64_t checksum; /* of the compressed text */
};

/* Gives back what went wrong, as a sentence; NULL: the text came back as it was. Not all memory is released.
 */
const char *roundtrip_run(struct roundtrip *trip);

#endif

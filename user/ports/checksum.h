/* FNV-1a with 64 bits: tells two outputs apart, wherever they were computed. */
#ifndef USER_PORTS_CHECKSUM_H
#define USER_PORTS_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#define CHECKSUM_START UINT64_C(0xcbf29ce484222325)

/* The checksum of what `checksum` was computed of, followed by these bytes. */
static inline uint64_t checksum_add(uint64_t checksum, const void *bytes, size_t count)
{
	const unsigned char *byte = bytes;
	for (size_t i = 0; i < count; i++)
		checksum = (checksum ^ byte[i]) * UINT64_C(0x100000001b3);
	return checksum;
}

#endif

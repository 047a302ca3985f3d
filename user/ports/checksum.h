/* FNV-1a with 64 bits: identifies an output, wherever it was computed. */
#ifndef USER_PORTS_CHECKSUM_H
#define USER_PORTS_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#define CHECKSUM_START UINT64_C(0xcbf29ce484222325)

/* Continue `checksum` with these bytes. */
static inline uint64_t checksum_add(uint64_t checksum, const void *bytes, size_t count)
{
	const unsigned char *byte = bytes;
	for (size_t i = 0; i < count; i++)
		checksum = (checksum ^ byte[i]) * UINT64_C(0x100000001b3);
	return checksum;
}

#endif

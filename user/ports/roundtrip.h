/*
 * A text generated from a seed, compressed and restored by a codec, and compared. Needs nothing of Heddle:
 * tools/checks/ports_reference.c does the same with the host's C library.
 */
#ifndef USER_PORTS_ROUNDTRIP_H
#define USER_PORTS_ROUNDTRIP_H

#include <stddef.h>
#include <stdint.h>

#define ROUNDTRIP_PIECE ((size_t)4096) /* bytes given to a codec at once */

struct roundtrip_buffer {
	unsigned char *bytes;
	size_t length; /* of the contents; for output, the capacity before the call */
};

/* A library that compresses. It allocates with malloc(). */
struct roundtrip_codec {
	const char *name;
	/* The largest size of a compressed text. */
	size_t (*bound)(size_t bytes, int level);
	/* Both return what went wrong, as a sentence; NULL: success. */
	const char *(*compress)(const struct roundtrip_buffer *text, struct roundtrip_buffer *packed, int level);
	const char *(*restore)(const struct roundtrip_buffer *packed, struct roundtrip_buffer *text);
	/* A checksum of the library that its format does not contain; NULL: there is none. */
	unsigned long (*checksum)(const struct roundtrip_buffer *text);
};

/* Each exists if its library's sources do (ports.mk). */
extern const struct roundtrip_codec codec_zlib, codec_lz4, codec_zstd;

struct roundtrip {
	const struct roundtrip_codec *codec;
	uint64_t seed;
	size_t bytes; /* of the text */
	int level;    /* as the codec counts */
	/* the results */
	size_t packed_bytes;
	uint64_t checksum; /* of the compressed text */
};

/* Returns what went wrong, as a sentence; NULL: the text was restored unchanged. After an error not all memory is
 * freed. */
const char *roundtrip_run(struct roundtrip *trip);

#endif

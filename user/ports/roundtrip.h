/*
 * A text made of a seed, compressed and restored by a codec, and compared. Needs nothing of Heddle:
 * tools/checks/ports_reference.c does the same with the host's C library.
 */
#ifndef USER_PORTS_ROUNDTRIP_H
#define USER_PORTS_ROUNDTRIP_H

#include <stddef.h>
#include <stdint.h>

#define ROUNDTRIP_PIECE ((size_t)4096) /* bytes given to a codec at once */

struct roundtrip_buffer {
	unsigned char *bytes;
	size_t length; /* of what is in it; where a codec writes, how much may be in it before */
};

/* A library that compresses. Its memory is that of malloc(). */
struct roundtrip_codec {
	const char *name;
	/* How long a text may be when it is compressed. */
	size_t (*bound)(size_t bytes, int level);
	/* Both give back what went wrong, as a sentence; NULL: nothing. */
	const char *(*compress)(const struct roundtrip_buffer *text, struct roundtrip_buffer *packed, int level);
	const char *(*restore)(const struct roundtrip_buffer *packed, struct roundtrip_buffer *text);
	/* A checksum of the library's that its format does not have; NULL: there is none. */
	unsigned long (*checksum)(const struct roundtrip_buffer *text);
};

/* Each where its library's sources are (ports.mk). */
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

/* Gives back what went wrong, as a sentence; NULL: the text came back as it was. Not all memory is released
 * then. */
const char *roundtrip_run(struct roundtrip *trip);

#endif

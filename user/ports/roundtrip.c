#include "user/ports/roundtrip.h"

#include <string.h>

#include "user/ports/checksum.h"
#include "zlib.h"

#define PIECE 4096 /* bytes given to zlib at once */

/* Numbers without a pattern (xorshift). */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Words in an order without a pattern, now and then a number that occurs once: it packs about as prose does.
 */
static void write_text(unsigned char *text, size_t bytes, uint64_t seed)
{
	static const char *const words[] = {"warp ",   "weft ", "shuttle ", "reed ", "heddle ",  "loom ",
	                                    "the ",    "a ",    "thread ",  "of ",   "cloth.\n", "weaver ",
	                                    "pattern", "and ",  "beam ",    "in "};
	uint64_t state = seed * 2654435761 + 88172645463325252;
	for (size_t i = 0; i < bytes;) {
		uint64_t random = next_random(&state);
		const char *word = words[random % 16];
		for (; *word && i < bytes; word++)
			text[i++] = (unsigned char)*word;
		for (uint64_t digits = random >> 60 == 0 ? random >> 32 : 0; digits && i < bytes; digits /= 10)
			text[i++] = (unsigned char)('0' + digits % 10);
	}
}

/* Run the stream over all input in pieces, by deflate or inflate; gives back zlib's last answer. */
static int run_stream(z_stream *stream, int (*step)(z_stream *, int), unsigned char *input, size_t bytes)
{
	int answer = Z_OK;
	stream->next_in = input;
	while (answer == Z_OK && (bytes > 0 || stream->avail_in == 0)) {
		size_t piece = bytes < PIECE ? bytes : PIECE;
		stream->avail_in = (unsigned)piece;
		bytes -= piece;
		answer = step(stream, bytes == 0 ? Z_FINISH : Z_NO_FLUSH);
	}
	return answer;
}

static const char *compress_text(struct roundtrip *trip, z_stream *stream, unsigned char *text,
                                 unsigned char *packed, size_t room)
{
	if (deflateInit(stream, trip->level) != Z_OK)
		return "there is not enough memory to compress";
	stream->next_out = packed;
	stream->avail_out = (unsigned)room;
	int answer = run_stream(stream, deflate, text, trip->bytes);
	trip->packed_bytes = stream->total_out;
	trip->checksum = checksum_add(CHECKSUM_START, packed, trip->packed_bytes);
	if (deflateEnd(stream) != Z_OK || answer != Z_STREAM_END)
		return "the text could not be compressed";
	return stream->adler == adler32(1, text, (unsigned)trip->bytes) ? NULL
	                                                                : "the checksum of the stream is wrong";
}

static const char *restore_text(struct roundtrip *trip, z_stream *stream, unsigned char *packed,
                                unsigned char *text)
{
	if (inflateInit(stream) != Z_OK)
		return "there is not enough memory to restore";
	stream->next_out = text;
	stream->avail_out = (unsigned)trip->bytes;
	int answer = run_stream(stream, inflate, packed, trip->packed_bytes);
	if (inflateEnd(stream) != Z_OK || answer != Z_STREAM_END)
		return "the compressed text could not be restored";
	return stream->total_out == trip->bytes ? NULL : "the restored text has another length";
}

const char *roundtrip_run(struct roundtrip *trip)
{
	z_stream stream = {.zalloc = trip->allocate, .zfree = trip->release, .opaque = trip->memory};
	size_t room = trip->bytes + trip->bytes / 8 + 1024;
	unsigned char *text = trip->allocate(trip->memory, 1, (unsigned)trip->bytes);
	unsigned char *packed = trip->allocate(trip->memory, 1, (unsigned)room);
	unsigned char *restored = trip->allocate(trip->memory, 1, (unsigned)trip->bytes);
	if (!text || !packed || !restored)
		return "there is not enough memory for the text";
	write_text(text, trip->bytes, trip->seed);
	const char *problem = compress_text(trip, &stream, text, packed, room);
	if (!problem)
		problem = restore_text(trip, &stream, packed, restored);
	if (problem)
		return problem;
	if (crc32(0, text, (unsigned)trip->bytes) != crc32(0, restored, (unsigned)trip->bytes))
		return "the CRC of the restored text is wrong";
	return memcmp(text, restored, trip->bytes) == 0 ? NULL
	                                                : "the restored text differs, and its CRC does not";
}

#include "user/ports/roundtrip.h"

#include <string.h>

#include "stdlib.h"
#include "user/ports/checksum.h"

/* Pseudo-random numbers (xorshift). */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Words in random order, sometimes a number that occurs once: this compresses about as well as prose.
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

/* Whether the text was restored; a sentence if not. */
static const char *compare(const struct roundtrip_codec *codec, const struct roundtrip_buffer *text,
                           const struct roundtrip_buffer *restored)
{
	if (restored->length != text->length)
		return "the restored text has another length";
	if (codec->checksum && codec->checksum(text) != codec->checksum(restored))
		return "the checksum of the restored text is wrong";
	return memcmp(text->bytes, restored->bytes, text->length) == 0
	           ? NULL
	           : "the restored text differs, and its checksum does not";
}

const char *roundtrip_run(struct roundtrip *trip)
{
	const struct roundtrip_codec *codec = trip->codec;
	struct roundtrip_buffer packed = {.length = codec->bound(trip->bytes, trip->level)};
	struct roundtrip_buffer text = {.length = trip->bytes}, restored = text;
	text.bytes = malloc(text.length);
	packed.bytes = malloc(packed.length);
	restored.bytes = malloc(restored.length);
	if (!text.bytes || !packed.bytes || !restored.bytes)
		return "there is not enough memory for the text";
	write_text(text.bytes, text.length, trip->seed);
	const char *problem = codec->compress(&text, &packed, trip->level);
	if (problem)
		return problem;
	trip->packed_bytes = packed.length;
	trip->checksum = checksum_add(CHECKSUM_START, packed.bytes, packed.length);
	problem = codec->restore(&packed, &restored);
	if (!problem)
		problem = compare(codec, &text, &restored);
	if (problem)
		return problem;
	free(text.bytes);
	free(packed.bytes);
	free(restored.bytes);
	return NULL;
}

#include <brotli/decode.h>
#include <brotli/encode.h>

#include "codec.h"

static size_t compress(const char *from, size_t size, char *to, size_t room)
{
	return BrotliEncoderCompress(6, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_TEXT, size, (const uint8_t *)from,
	                             &room, (uint8_t *)to)
	           ? room
	           : 0;
}

static size_t expand(const char *from, size_t size, char *to, size_t room)
{
	return BrotliDecoderDecompress(size, (const uint8_t *)from, &room, (uint8_t *)to) ==
	               BROTLI_DECODER_RESULT_SUCCESS
	           ? room
	           : 0;
}

int main(int count, char **arguments)
{
	return codec_main("brotli", compress, expand, count, arguments);
}

#include <zstd.h>

#include "codec.h"

static size_t compress(const char *from, size_t size, char *to, size_t room)
{
	size_t written = ZSTD_compress(to, room, from, size, 5);
	return ZSTD_isError(written) ? 0 : written;
}

static size_t expand(const char *from, size_t size, char *to, size_t room)
{
	size_t written = ZSTD_decompress(to, room, from, size);
	return ZSTD_isError(written) ? 0 : written;
}

int main(int count, char **arguments)
{
	return codec_main("zstd", compress, expand, count, arguments);
}

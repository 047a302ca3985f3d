#include <lz4.h>
#include <lz4hc.h>

#include "codec.h"

static size_t compress(const char *from, size_t size, char *to, size_t room)
{
	int fast = LZ4_compress_default(from, to, (int)size, (int)room);
	int small = LZ4_compress_HC(from, to, (int)size, (int)room, 5);
	return fast > 0 && small > 0 ? (size_t)small : 0;
}

static size_t expand(const char *from, size_t size, char *to, size_t room)
{
	int written = LZ4_decompress_safe(from, to, (int)size, (int)room);
	return written > 0 ? (size_t)written : 0;
}

int main(int count, char **arguments)
{
	return codec_main("lz4", compress, expand, count, arguments);
}

#include <bzlib.h>

#include "codec.h"

static size_t compress(const char *from, size_t size, char *to, size_t room)
{
	unsigned written = (unsigned)room;
	return BZ2_bzBuffToBuffCompress(to, &written, (char *)from, (unsigned)size, 1, 0, 0) == BZ_OK ? written
	                                                                                              : 0;
}

static size_t expand(const char *from, size_t size, char *to, size_t room)
{
	unsigned written = (unsigned)room;
	return BZ2_bzBuffToBuffDecompress(to, &written, (char *)from, (unsigned)size, 0, 0) == BZ_OK ? written
	                                                                                             : 0;
}

int main(int count, char **arguments)
{
	return codec_main("bzip2", compress, expand, count, arguments);
}

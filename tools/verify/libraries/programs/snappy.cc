#include <snappy.h>
#include <string>

#include "codec.h"

static size_t compress(const char *from, size_t size, char *to, size_t room)
{
	std::string made;
	snappy::Compress(from, size, &made);
	if (made.size() > room)
		return 0;
	memcpy(to, made.data(), made.size());
	return made.size();
}

static size_t expand(const char *from, size_t size, char *to, size_t room)
{
	std::string made;
	if (!snappy::IsValidCompressedBuffer(from, size) || !snappy::Uncompress(from, size, &made) ||
	    made.size() > room)
		return 0;
	memcpy(to, made.data(), made.size());
	return made.size();
}

int main(int count, char **arguments)
{
	return codec_main("snappy", compress, expand, count, arguments);
}

#include "user/base45.h"

#include <string.h>

#include "user/test/test.h"

static bool encodes(const char *bytes, size_t length, const char *wanted)
{
	char text[32];
	base45_encode(text, (const unsigned char *)bytes, length);
	return BASE45_LENGTH(length) == strlen(wanted) && memcmp(text, wanted, strlen(wanted)) == 0;
}

/* The examples of RFC 9285, and the extreme values of one and two bytes. */
TEST(base45, is_as_the_standard_has_it)
{
	CHECK(encodes("", 0, ""));
	CHECK(encodes("AB", 2, "BB8"));
	CHECK(encodes("Hello!!", 7, "%69 VD92EX0"));
	CHECK(encodes("base-45", 7, "UJCLQE7W581"));
	CHECK(encodes("ietf!", 5, "QED8WEX0"));
	CHECK(encodes("\0\0", 2, "000"));
	CHECK(encodes("\xff\xff\xff", 3, "FGWU5"));
}

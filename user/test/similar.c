#include "user/shell/similar.h"

#include <string.h>

#include "user/test/test.h"

static unsigned distance(const char *one, const char *other)
{
	unsigned there = similar_distance(one, strlen(one), other, 9),
	         back = similar_distance(other, strlen(other), one, 9);
	return there == back ? there : 100;
}

TEST(similar, counts_slips)
{
	CHECK_EQUAL(distance("list", "list"), 0);
	CHECK_EQUAL(distance("lst", "list"), 1);
	CHECK_EQUAL(distance("lisst", "list"), 1);
	CHECK_EQUAL(distance("lisk", "list"), 1);
	CHECK_EQUAL(distance("ilst", "list"), 1);
	CHECK_EQUAL(distance("rebot", "reboot"), 1);
	CHECK_EQUAL(distance("rbeoto", "reboot"), 2);
	CHECK_EQUAL(distance("", "top"), 3);
	CHECK_EQUAL(distance("kitten", "sitting"), 3);
	CHECK_EQUAL(similar_distance("help", 2, "he", 9), 0);
}

TEST(similar, takes_no_long_word_for_another)
{
	char word[100];
	memset(word, 'x', sizeof(word));
	CHECK(similar_distance(word, sizeof(word), "list", 2) > 2);
	CHECK_EQUAL(similar_most(2), 0);
	CHECK_EQUAL(similar_most(4), 1);
	CHECK_EQUAL(similar_most(10), 2);
}

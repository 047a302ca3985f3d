#include "kernel/similar.h"

#include <string.h>

#include "user/test/test.h"

static unsigned distance(const char *one, const char *other)
{
	unsigned there = similar_distance(one, strlen(one), other, strlen(other)),
	         back = similar_distance(other, strlen(other), one, strlen(one));
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
	CHECK_EQUAL(similar_distance("help", 2, "he", 2), 0);
}

TEST(similar, takes_no_long_word_for_another)
{
	char word[100];
	memset(word, 'x', sizeof(word));
	CHECK(similar_distance(word, sizeof(word), "list", 4) > SIMILAR_WORD_MOST);
	CHECK_EQUAL(similar_most(2), 0);
	CHECK_EQUAL(similar_most(4), 1);
	CHECK_EQUAL(similar_most(10), 2);
}

static bool means(const char *word, const char *wanted)
{
	static const char *const names[] = {"tasks", "rounds", "task", "lock"};
	struct similar search;
	similar_start(&search, word, strlen(word));
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		similar_consider(&search, names[i], strlen(names[i]));
	return search.nearest ? wanted && strcmp(search.nearest, wanted) == 0 : !wanted;
}

TEST(similar, finds_the_nearest)
{
	CHECK(means("tsks", "tasks"));
	CHECK(means("taks", "tasks"));
	CHECK(means("rouns", "rounds"));
	CHECK(means("lokc", "lock"));
	CHECK(means("ab", NULL));
	CHECK(means("colour", NULL));
	CHECK(means("", NULL));
}

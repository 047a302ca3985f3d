/*
 * Small objects: heddle_new() and heddle_delete().
 */
#include "heddle/channel.h"
#include "heddle/system.h"
#include "heddle/task.h"
#include "user/crew.h"
#include "user/test/hoard.h"
#include "user/test/test.h"

/* Around the sizes of the classes, and beyond them. */
static const size_t sizes[] = {0,    1,    15,   16,   17,   47,   48,     49,     64,  100,
                               128,  129,  192,  255,  256,  257,  511,    512,    513, 999,
                               1024, 2048, 2049, 4095, 4096, 4097, 100000, 1 << 20};
#define SIZES (sizeof(sizes) / sizeof(sizes[0]))

static void fill(unsigned char *object, size_t size, unsigned value)
{
	for (size_t i = 0; i < size; i++)
		object[i] = (unsigned char)value;
}

static bool holds(const unsigned char *object, size_t size, unsigned value)
{
	bool right = true;
	for (size_t i = 0; i < size; i++)
		right &= object[i] == (unsigned char)value;
	return right;
}

TEST(object, aligned_and_apart)
{
	unsigned char *objects[2 * SIZES];
	for (unsigned i = 0; i < 2 * SIZES; i++) {
		objects[i] = heddle_new(sizes[i / 2]);
		CHECK(objects[i] != NULL);
		CHECK_EQUAL((uintptr_t)objects[i] % 16, 0);
		fill(objects[i], sizes[i / 2], i + 1);
	}
	for (unsigned i = 0; i < 2 * SIZES; i++) {
		CHECK(holds(objects[i], sizes[i / 2], i + 1));
		heddle_delete(objects[i]);
	}
	heddle_delete(NULL);
}

TEST(object, memory_is_used_again)
{
	for (unsigned i = 0; i < SIZES; i++) {
		void *first = heddle_new(sizes[i]), *again;
		heddle_delete(first);
		again = heddle_new(sizes[i]);
		CHECK(again != NULL);
		heddle_delete(again);
	}
}

TEST(object, too_much_at_once)
{
	CHECK(heddle_new((size_t)1 << 30) == NULL);
	CHECK(heddle_new(SIZE_MAX) == NULL);
	CHECK(heddle_new(SIZE_MAX - 15) == NULL);
}

#define ROUNDS 2000

struct parcel {
	uint64_t number;
	size_t size;
	unsigned char content[];
};

/* Members with even numbers make objects, the others check them and give them back, on whatever processor. */
static intptr_t pass_on(size_t number, void *channel)
{
	intptr_t wrong = 0;
	for (uint64_t i = 0; i < ROUNDS; i++) {
		struct parcel *parcel = NULL;
		if (number % 2) {
			wrong += channel_receive(channel, &parcel) != HEDDLE_OK;
			wrong += !holds(parcel->content, parcel->size, (unsigned)parcel->number);
			heddle_delete(parcel);
			continue;
		}
		size_t size = (number + i) * 7 % 600;
		parcel = heddle_new(sizeof(*parcel) + size);
		if (!parcel)
			return ROUNDS;
		*parcel = (struct parcel){.number = number * ROUNDS + i, .size = size};
		fill(parcel->content, size, (unsigned)parcel->number);
		wrong += channel_send(channel, &parcel) != HEDDLE_OK;
	}
	return wrong;
}

TEST(object, given_back_by_another_task)
{
	struct parcel *room[16];
	struct channel channel;
	struct crew crew = {.name = "parcels", .function = pass_on, .argument = &channel, .count = 8};
	intptr_t wrong = 1;
	CHECK_EQUAL(channel_create(&channel, room, sizeof(room[0]), 16), HEDDLE_OK);
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	crew_start(&crew);
	CHECK_EQUAL(crew_join(&crew, &wrong), HEDDLE_OK);
	CHECK_EQUAL(wrong, 0);
	channel_destroy(&channel);
}

struct link {
	struct link *next;
	char more[4000];
};

/* NULL at the end of memory, and all of it is there again when the objects were given back. */
TEST(object, without_memory)
{
	struct link *all = NULL, *link;
	struct hoard hoard;
	unsigned again = 0, made = 0;
	hoard_fill(&hoard);
	while ((link = heddle_new(sizeof(*link)))) {
		link->next = all;
		all = link;
		made++;
	}
	void *large = heddle_new(1 << 20);
	for (; all; all = link, again++) {
		link = all->next;
		heddle_delete(all);
	}
	hoard_empty(&hoard);
	CHECK(large == NULL);
	CHECK_EQUAL(made, again);
	link = heddle_new(sizeof(*link));
	CHECK(link != NULL);
	heddle_delete(link);
}

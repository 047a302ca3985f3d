#include "kernel/free_list.h"

#include "heddle/system.h"
#include "user/crew.h"
#include "user/test/test.h"

#define THINGS 100
#define ROUNDS 20000
#define HELD   3

struct shelf {
	struct free_list list;
	_Atomic uint32_t links[THINGS];
	atomic_uint holders[THINGS];
};

static _Atomic uint32_t *shelf_link(void *owner, uint32_t number)
{
	struct shelf *shelf = owner;
	return &shelf->links[number];
}

static void shelf_fill(struct shelf *shelf)
{
	free_list_create(&shelf->list);
	for (uint32_t i = 0; i < THINGS; i++) {
		atomic_store_explicit(&shelf->holders[i], 0, memory_order_relaxed);
		free_list_push(&shelf->list, shelf_link, shelf, i);
	}
}

TEST(free_list, newest_first)
{
	static struct shelf shelf;
	shelf_fill(&shelf);
	for (uint32_t i = THINGS; i-- > 0;)
		CHECK_EQUAL(free_list_pop(&shelf.list, shelf_link, &shelf), i);
	CHECK_EQUAL(free_list_pop(&shelf.list, shelf_link, &shelf), FREE_LIST_NONE);
	CHECK(free_list_is_empty(&shelf.list));
	free_list_push(&shelf.list, shelf_link, &shelf, 7);
	CHECK(!free_list_is_empty(&shelf.list));
	CHECK_EQUAL(free_list_pop(&shelf.list, shelf_link, &shelf), 7);
}

/* Returns how often it got a thing that another task held. */
static intptr_t take_and_put_back(size_t number, void *argument)
{
	struct shelf *shelf = argument;
	uint32_t held[HELD];
	intptr_t errors = 0;

	(void)number;
	for (unsigned round = 0; round < ROUNDS / heddle_processors(); round++) {
		unsigned count = 0;
		while (count < 1 + round % HELD) {
			uint32_t thing = free_list_pop(&shelf->list, shelf_link, shelf);
			if (thing == FREE_LIST_NONE)
				break;
			errors += atomic_exchange_explicit(&shelf->holders[thing], 1, memory_order_relaxed) != 0;
			held[count++] = thing;
		}
		/* The oldest first, so that a top returns with other things below it. */
		for (unsigned i = 0; i < count; i++) {
			atomic_store_explicit(&shelf->holders[held[i]], 0, memory_order_relaxed);
			free_list_push(&shelf->list, shelf_link, shelf, held[i]);
		}
	}
	return errors;
}

TEST(free_list, each_to_one_processor)
{
	static struct shelf shelf;
	intptr_t errors;
	unsigned count = 0;
	struct crew crew = {.name = "shelf",
	                    .function = take_and_put_back,
	                    .argument = &shelf,
	                    .count = heddle_processors(),
	                    .processors = heddle_processors()};

	shelf_fill(&shelf);
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	crew_start(&crew);
	CHECK_EQUAL(crew_join(&crew, &errors), HEDDLE_OK);
	CHECK_EQUAL(errors, 0);
	while (count <= THINGS && free_list_pop(&shelf.list, shelf_link, &shelf) != FREE_LIST_NONE)
		count++;
	CHECK_EQUAL(count, THINGS);
}

/*
 * The kernel's pages (kernel/memory.h): sizes, nodes, exhaustion, and many processors at once.
 */
#include "heddle/system.h"
#include "kernel/memory.h"
#include "kernel/topology.h"
#include "user/crew.h"
#include "user/test/hoard.h"
#include "user/test/test.h"

#define ROUNDS 20000
#define HELD   8

#define LEFT_BLOCKS 16
#define LEFT_BLOCK  ((size_t)1 << 20)

/* What each processor may keep for itself. */
#define CACHE_BYTES (8 * (PAGE_SIZE + 4 * PAGE_SIZE))

TEST(pages, aligned_blocks_of_every_size)
{
	for (size_t bytes = 1; bytes <= (size_t)1 << 21; bytes = bytes * 3 + 1) {
		size_t rounded = PAGE_SIZE;
		while (rounded < bytes)
			rounded *= 2;
		uint64_t before = memory_count(MEMORY_ANY_NODE).free;
		char *block = memory_allocate(bytes, MEMORY_ANY_NODE);
		CHECK(block);
		CHECK_EQUAL((uintptr_t)block % rounded, 0);
		CHECK_EQUAL(before - memory_count(MEMORY_ANY_NODE).free, rounded);
		block[0] = 1;
		block[bytes - 1] = 1;
		memory_free(block, bytes);
		CHECK_EQUAL(memory_count(MEMORY_ANY_NODE).free, before);
	}
	CHECK(!memory_allocate(MEMORY_BLOCK_LARGEST + 1, MEMORY_ANY_NODE));
	CHECK(!memory_allocate(SIZE_MAX, MEMORY_ANY_NODE));
}

TEST(pages, of_the_node_asked_for)
{
	uint64_t all = 0;
	for (unsigned node = 0; node < topology.node_count; node++) {
		struct memory_count before = memory_count(node);
		all += before.total;
		if (before.free < 1 << 20)
			continue;
		void *block = memory_allocate(PAGE_SIZE, node);
		CHECK(block);
		CHECK_EQUAL(topology_node_of((uintptr_t)block), node);
		CHECK_EQUAL(before.free - memory_count(node).free, PAGE_SIZE);
		memory_free(block, PAGE_SIZE);
		CHECK_EQUAL(memory_count(node).free, before.free);
	}
	CHECK_EQUAL(memory_count(MEMORY_ANY_NODE).total, all);
}

TEST(pages, exhausted_and_back)
{
	struct hoard hoard;
	uint64_t before = memory_count(MEMORY_ANY_NODE).free;

	for (unsigned round = 0; round < 3; round++) {
		hoard_fill(&hoard);
		uint64_t left = memory_count(MEMORY_ANY_NODE).free;
		bool refused = !memory_allocate(PAGE_SIZE, MEMORY_ANY_NODE);
		uint64_t taken = hoard.bytes;
		hoard_empty(&hoard);
		CHECK(refused);
		CHECK_EQUAL(left + taken, before);
		CHECK(left <= (uint64_t)heddle_processors() * CACHE_BYTES);
		CHECK_EQUAL(hoard.damaged, 0);
		CHECK_EQUAL(memory_count(MEMORY_ANY_NODE).free, before);
	}
}

/* The last block is handed out page by page; the pages become one block again. */
TEST(pages, last_block_split_and_merged)
{
	enum { PAGES = 64 };
	struct hoard hoard;
	void *pages[PAGES], *block = memory_allocate(PAGES * PAGE_SIZE, MEMORY_ANY_NODE);
	unsigned count = 0;

	CHECK(block);
	hoard_fill(&hoard);
	memory_free(block, PAGES * PAGE_SIZE);
	while (count < PAGES && (pages[count] = memory_allocate(PAGE_SIZE, MEMORY_ANY_NODE)))
		count++;
	bool refused = !memory_allocate(PAGE_SIZE, MEMORY_ANY_NODE);
	for (unsigned i = 0; i < count; i++)
		memory_free(pages[i * 37 % PAGES], PAGE_SIZE);
	bool merged = memory_allocate(PAGES * PAGE_SIZE, MEMORY_ANY_NODE) == block;
	if (merged)
		memory_free(block, PAGES * PAGE_SIZE);
	hoard_empty(&hoard);
	CHECK_EQUAL(count, PAGES);
	CHECK(refused);
	CHECK(merged);
}

/* Keep some blocks of different sizes, each filled with its own number, and exchange one after the other. Returns how
 * often a block had another content. */
static intptr_t exchange_blocks(size_t member, void *argument)
{
	uint64_t *blocks[HELD] = {0}, numbers[HELD];
	size_t words[HELD] = {0};
	intptr_t errors = 0;

	(void)argument;
	for (unsigned round = 0; round < ROUNDS / heddle_processors() + HELD; round++) {
		unsigned slot = round % HELD;
		for (size_t i = 0; i < words[slot]; i += 64)
			errors += blocks[slot][i] != numbers[slot];
		if (blocks[slot])
			memory_free(blocks[slot], words[slot] * sizeof(uint64_t));
		words[slot] = PAGE_SIZE / sizeof(uint64_t) << (round * 7 + member) % 5;
		blocks[slot] = memory_allocate(words[slot] * sizeof(uint64_t), MEMORY_ANY_NODE);
		if (!blocks[slot])
			words[slot] = 0;
		numbers[slot] = (uint64_t)member << 32 | round;
		for (size_t i = 0; i < words[slot]; i += 64)
			blocks[slot][i] = numbers[slot];
	}
	for (unsigned slot = 0; slot < HELD; slot++)
		if (blocks[slot])
			memory_free(blocks[slot], words[slot] * sizeof(uint64_t));
	return errors;
}

static intptr_t hoard_repeatedly(size_t member, void *argument)
{
	struct hoard hoard;
	intptr_t errors = 0;

	(void)member, (void)argument;
	for (unsigned round = 0; round < 2; round++) {
		hoard_fill(&hoard);
		hoard_empty(&hoard);
		errors += (intptr_t)hoard.damaged;
	}
	return errors;
}

/* Run the function on all processors. `scarce` leaves them only some MiB: pages are touched one by one, and a hosted
 * machine has more memory nominally than the host could provide. Returns the sum of the errors, plus one if memory is
 * missing at the end; negative: there was no crew. */
static intptr_t crew_errors(intptr_t (*function)(size_t member, void *argument), bool scarce)
{
	struct crew crew = {.name = "pages",
	                    .function = function,
	                    .count = heddle_processors(),
	                    .processors = heddle_processors()};
	struct hoard hoard = {0};
	void *left[LEFT_BLOCKS] = {0};
	intptr_t errors;

	if (crew_create(&crew) != HEDDLE_OK)
		return -1;
	uint64_t before = memory_count(MEMORY_ANY_NODE).free;
	for (unsigned i = 0; scarce && i < LEFT_BLOCKS; i++)
		left[i] = memory_allocate(LEFT_BLOCK, MEMORY_ANY_NODE);
	if (scarce)
		hoard_fill(&hoard);
	for (unsigned i = 0; i < LEFT_BLOCKS; i++)
		if (left[i])
			memory_free(left[i], LEFT_BLOCK);
	crew_start(&crew);
	enum heddle_error error = crew_join(&crew, &errors);
	hoard_empty(&hoard);
	if (error != HEDDLE_OK)
		return -1;
	return errors + (memory_count(MEMORY_ANY_NODE).free < before);
}

TEST(pages, each_to_one_processor)
{
	CHECK_EQUAL(crew_errors(exchange_blocks, false), 0);
}

TEST(pages, exhausted_by_all_at_once)
{
	CHECK_EQUAL(crew_errors(hoard_repeatedly, true), 0);
}

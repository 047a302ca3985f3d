#include "kernel/memory.h"

#include <string.h>

#include "kernel/console.h"
#include "kernel/failure.h"
#include "kernel/format.h"
#include "kernel/memory_node.h"
#include "kernel/memory_region.h"
#include "kernel/panic.h"

#define MEMORY_MINIMUM ((uint64_t)4 << 20)

/* A processor keeps some blocks of the sizes that are asked for most, pages and small stacks, from its home node: the
 * nearest that has memory. Only the owner uses them; others read the counts. */
enum { CACHE_PAGES, CACHE_STACKS, CACHE_SIZES };

#define CACHE_BLOCKS 8

static const unsigned cache_orders[CACHE_SIZES] = {[CACHE_PAGES] = 0, [CACHE_STACKS] = 2};

struct memory_cache {
	_Atomic uint32_t count[CACHE_SIZES];
	void *blocks[CACHE_SIZES][CACHE_BLOCKS];
} __attribute__((aligned(CACHE_LINE)));

/* Where a node's processors look for memory: the nodes that have any, nearest first. */
struct memory_search {
	unsigned count;
	unsigned nodes[NODES_MAXIMUM];
};

/* What memory_boot() has cut from a node and not yet handed out. */
struct boot_memory {
	char *next, *end;
};

static unsigned node_count;
static struct memory_node nodes[NODES_MAXIMUM];
static struct memory_search searches[NODES_MAXIMUM];
static struct boot_memory boot_memory[NODES_MAXIMUM];
static struct memory_cache caches[PROCESSORS_MAXIMUM];

/* ----------------------------------------------------------------------------------------- the cache -- */

static unsigned home_node(const struct processor *processor)
{
	return searches[processor->node].nodes[0];
}

/* The index of a size in the caches; CACHE_SIZES: it is not cached. */
static unsigned cache_index(unsigned order)
{
	unsigned index = 0;
	while (index < CACHE_SIZES && cache_orders[index] != order)
		index++;
	return index;
}

static void *cache_take(struct memory_cache *cache, unsigned index)
{
	uint32_t count = atomic_load_explicit(&cache->count[index], memory_order_relaxed);
	if (count == 0)
		return NULL;
	atomic_store_explicit(&cache->count[index], count - 1, memory_order_relaxed);
	return cache->blocks[index][count - 1];
}

static bool cache_give(struct memory_cache *cache, unsigned index, void *block)
{
	uint32_t count = atomic_load_explicit(&cache->count[index], memory_order_relaxed);
	if (count == CACHE_BLOCKS)
		return false;
	cache->blocks[index][count] = block;
	atomic_store_explicit(&cache->count[index], count + 1, memory_order_relaxed);
	return true;
}

/* -------------------------------------------------------------------------------------- the services -- */

static unsigned order_of(size_t bytes)
{
	unsigned order = 0;
	while (PAGE_SIZE << order < bytes)
		order++;
	return order;
}

static void block_free(void *block, unsigned order)
{
	const struct memory_region *region = region_of_address((uintptr_t)block);
	node_free(&nodes[region->node], order, region_page_at(region, (uintptr_t)block));
}

static void cache_empty(struct memory_cache *cache)
{
	for (unsigned index = 0; index < CACHE_SIZES; index++)
		for (void *block; (block = cache_take(cache, index));)
			block_free(block, cache_orders[index]);
}

static void *block_allocate(unsigned node, unsigned order)
{
	uint32_t page = node_allocate(&nodes[node], order);
	return page == PAGE_NONE ? NULL : region_page_address(region_of_page(page), page);
}

void *memory_allocate(size_t bytes, unsigned node)
{
	const struct processor *processor = processor_current();
	struct memory_cache *cache = &caches[processor->index];
	if (bytes > MEMORY_BLOCK_LARGEST || (failure_is_wanted() && failure_comes("pages")))
		return NULL;
	if (node >= node_count)
		node = processor->node;

	const struct memory_search *search = &searches[node];
	unsigned order = order_of(bytes), index = cache_index(order);
	void *block = NULL;
	if (index < CACHE_SIZES && search->nodes[0] == home_node(processor))
		block = cache_take(cache, index);
	for (unsigned i = 0; !block && i < search->count; i++)
		block = block_allocate(search->nodes[i], order);
	if (block || order == 0)
		return block;
	/* There may be enough in smaller blocks. */
	cache_empty(cache);
	for (unsigned i = 0; !block && i < search->count; i++) {
		node_merge(&nodes[search->nodes[i]], order);
		block = block_allocate(search->nodes[i], order);
	}
	return block;
}

void memory_free(void *block, size_t bytes)
{
	const struct processor *processor = processor_current();
	const struct memory_region *region = region_of_address((uintptr_t)block);
	unsigned order = order_of(bytes), index = cache_index(order);

	if (!region || (uintptr_t)block & ((PAGE_SIZE << order) - 1))
		panic("memory_free: there is no block of %zu bytes at %p", bytes, block);
	if (index < CACHE_SIZES && region->node == home_node(processor) &&
	    cache_give(&caches[processor->index], index, block))
		return;
	block_free(block, order);
}

static uint64_t cached_pages(unsigned node)
{
	uint64_t pages = 0;
	for (unsigned i = 0; i < processor_count; i++) {
		if (home_node(&processors[i]) != node)
			continue;
		for (unsigned index = 0; index < CACHE_SIZES; index++) {
			uint64_t count = atomic_load_explicit(&caches[i].count[index], memory_order_relaxed);
			pages += count << cache_orders[index];
		}
	}
	return pages;
}

struct memory_count memory_count(unsigned node)
{
	struct memory_count count = {0};
	for (unsigned i = 0; i < node_count; i++) {
		if (node != MEMORY_ANY_NODE && node != i)
			continue;
		uint64_t free = atomic_load_explicit(&nodes[i].free, memory_order_relaxed);
		count.total += (uint64_t)nodes[i].total * PAGE_SIZE;
		count.free += (free + cached_pages(i)) * PAGE_SIZE;
	}
	return count;
}

_Noreturn void memory_exhausted(size_t bytes, const char *purpose)
{
	static char text[CONSOLE_LINE_MAXIMUM - 200];
	size_t length = 0;

	for (unsigned i = 0; i < node_count && length < sizeof(text); i++)
		length += format_text(text + length, sizeof(text) - length, "%s node %u: %lu KiB", i > 0 ? "," : "",
		                      i, (unsigned long)(memory_count(i).free >> 10));
	panic("out of memory: %zu bytes for %s; free is on%s; give the machine more memory or run less at once",
	      bytes, purpose, text);
}

/* ---------------------------------------------------------------------------------------------- boot -- */

/* Cut more pages. The rest of the last ones is lost unless the new ones follow it. */
static bool boot_extend(struct boot_memory *memory, struct memory_node *node, size_t bytes)
{
	uint64_t pages = (bytes + PAGE_SIZE - 1) / PAGE_SIZE;
	uint32_t page = node_cut(node, pages, 1);
	if (page == PAGE_NONE)
		return false;
	char *start = region_page_address(region_of_page(page), page);
	if (start != memory->end)
		memory->next = start;
	memory->end = start + pages * PAGE_SIZE;
	return true;
}

void *memory_boot(size_t bytes, unsigned node)
{
	if (node >= node_count)
		node = processor_current()->node;
	size_t rounded = (bytes + CACHE_LINE_PAIR - 1) & ~(size_t)(CACHE_LINE_PAIR - 1);
	for (unsigned i = 0; i < searches[node].count; i++) {
		unsigned nearest = searches[node].nodes[i];
		struct boot_memory *memory = &boot_memory[nearest];
		if ((size_t)(memory->end - memory->next) < rounded && !boot_extend(memory, &nodes[nearest], rounded))
			continue;
		char *table = memory->next;
		memory->next += rounded;
		return memset(table, 0, bytes);
	}
	memory_exhausted(bytes, "a table made at boot");
}

static bool is_nearer(unsigned node, unsigned one, unsigned other)
{
	if (one == node || other == node)
		return one == node;
	return topology.distance[node][one] < topology.distance[node][other];
}

static void search_create(unsigned node)
{
	struct memory_search *search = &searches[node];
	search->count = 0;
	for (unsigned other = 0; other < node_count; other++) {
		if (nodes[other].total == 0)
			continue;
		unsigned place = search->count++;
		for (; place > 0 && is_nearer(node, other, search->nodes[place - 1]); place--)
			search->nodes[place] = search->nodes[place - 1];
		search->nodes[place] = other;
	}
}

void memory_start(const struct boot_information *boot)
{
	uint64_t pages = 0;

	node_count = topology.node_count > 0 ? topology.node_count : 1;
	memset(searches, 0, sizeof(searches));
	memset(boot_memory, 0, sizeof(boot_memory));
	memset(caches, 0, sizeof(caches));
	for (unsigned i = 0; i < node_count; i++)
		node_create(&nodes[i], i);
	regions_create(boot);
	for (unsigned i = 0; i < memory_region_count; i++) {
		uint32_t usable = region_pages_left(&memory_regions[i]);
		node_add(&nodes[memory_regions[i].node], usable);
		pages += usable;
	}
	for (unsigned i = 0; i < node_count; i++) {
		search_create(i);
		log_debug("node %u: %lu KiB of memory", i, (unsigned long)(memory_count(i).total >> 10));
	}
	if (pages * PAGE_SIZE < MEMORY_MINIMUM)
		panic("too little memory: %lu KiB were found in %u regions, %lu KiB are needed",
		      (unsigned long)(pages * PAGE_SIZE >> 10), boot->region_count,
		      (unsigned long)(MEMORY_MINIMUM >> 10));
}

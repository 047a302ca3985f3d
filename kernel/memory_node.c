#include "kernel/memory_node.h"

#include "kernel/memory_region.h"

/* How often to look again while another processor holds free pages. */
#define ATTEMPTS 10000

#define SPLIT_BEGIN (((uint64_t)1 << 32) + 1)
#define SPLIT_END   UINT64_C(1)

static _Atomic uint32_t *page_link(void *owner, uint32_t page)
{
	(void)owner;
	const struct memory_region *region = region_of_page(page);
	return &region->links[page - region->first];
}

static void push(struct memory_node *node, unsigned order, uint32_t page)
{
	free_list_push(&node->lists[order], page_link, NULL, page);
}

static uint32_t pop(struct memory_node *node, unsigned order)
{
	return free_list_pop(&node->lists[order], page_link, NULL);
}

void node_create(struct memory_node *node, unsigned index)
{
	node->index = index;
	node->total = 0;
	for (unsigned order = 0; order < MEMORY_ORDERS; order++)
		free_list_create(&node->lists[order]);
	atomic_store_explicit(&node->free, 0, memory_order_relaxed);
	atomic_store_explicit(&node->splits, 0, memory_order_relaxed);
	atomic_store_explicit(&node->merging, false, memory_order_relaxed);
}

void node_add(struct memory_node *node, uint32_t pages)
{
	node->total += pages;
	atomic_fetch_add_explicit(&node->free, pages, memory_order_relaxed);
}

static void split_begin(struct memory_node *node)
{
	/* relaxed: the pop that follows releases it to any processor that finds the list without the block. */
	atomic_fetch_add_explicit(&node->splits, SPLIT_BEGIN, memory_order_relaxed);
}

static void split_end(struct memory_node *node)
{
	/* release: the pushes, pairs with the acquire in node_allocate. */
	atomic_fetch_sub_explicit(&node->splits, SPLIT_END, memory_order_release);
}

/* Put back pages that were skipped for alignment, as the largest blocks that their addresses allow. */
static void push_pages(struct memory_node *node, const struct memory_region *region, uint32_t page,
                       uint32_t end)
{
	while (page < end) {
		uint64_t address = region_page_number(region, page);
		unsigned order = 0;
		while (order + 1 < MEMORY_ORDERS && !(address & ((uint64_t)1 << order)) &&
		       end - page >= (uint32_t)2 << order)
			order++;
		push(node, order, page);
		page += (uint32_t)1 << order;
	}
}

uint32_t node_cut(struct memory_node *node, uint64_t pages, uint32_t alignment)
{
	for (unsigned i = 0; i < memory_region_count; i++) {
		struct memory_region *region = &memory_regions[i];
		uint32_t skipped, page;
		if (region->node != node->index || !region_fits(region, pages, alignment))
			continue;
		split_begin(node);
		bool done = region_cut(region, pages, alignment, &skipped, &page);
		if (done)
			push_pages(node, region, skipped, page);
		split_end(node);
		if (!done)
			continue;
		atomic_fetch_sub_explicit(&node->free, (uint32_t)pages, memory_order_relaxed);
		return page;
	}
	return PAGE_NONE;
}

/* Take the smallest larger block and give its upper half back, then the upper half of the rest, and so on. */
static uint32_t split(struct memory_node *node, unsigned order)
{
	for (unsigned larger = order + 1; larger < MEMORY_ORDERS; larger++) {
		if (free_list_is_empty(&node->lists[larger]))
			continue;
		split_begin(node);
		uint32_t page = pop(node, larger);
		for (unsigned half = larger; page != PAGE_NONE && half-- > order;)
			push(node, half, page + ((uint32_t)1 << half));
		split_end(node);
		if (page != PAGE_NONE)
			return page;
	}
	return PAGE_NONE;
}

uint32_t node_allocate(struct memory_node *node, unsigned order)
{
	for (unsigned i = 0; i < ATTEMPTS; i++) {
		/* acquire: pairs with the release in split_end. */
		uint64_t before = atomic_load_explicit(&node->splits, memory_order_acquire);
		uint32_t page = pop(node, order);
		if (page == PAGE_NONE) {
			page = node_cut(node, (uint64_t)1 << order, (uint32_t)1 << order);
			if (page != PAGE_NONE)
				return page;
			page = split(node, order);
		}
		if (page != PAGE_NONE) {
			atomic_fetch_sub_explicit(&node->free, (uint32_t)1 << order, memory_order_relaxed);
			return page;
		}
		/* No free block was seen, and no processor held any meanwhile: there is none. */
		if ((uint32_t)before == 0 && atomic_load_explicit(&node->splits, memory_order_relaxed) == before)
			break;
	}
	return PAGE_NONE;
}

void node_free(struct memory_node *node, unsigned order, uint32_t page)
{
	/* Counted first: if another processor takes the block at once, the count still never becomes negative. */
	atomic_fetch_add_explicit(&node->free, (uint32_t)1 << order, memory_order_relaxed);
	push(node, order, page);
}

/* The block that forms a pair with this one; PAGE_NONE where that would not lie in the region. */
static uint32_t other_half(const struct memory_region *region, uint32_t page, unsigned order)
{
	uint32_t size = (uint32_t)1 << order;
	bool is_upper = region_page_number(region, page) & size;
	if (is_upper)
		return page - region->first >= size ? page - size : PAGE_NONE;
	return region->pages - (page - region->first) >= 2 * size ? page + size : PAGE_NONE;
}

/* While only this processor knows a block, the block's link serves for chains of its own. */
static uint32_t memory_node_chain_push(uint32_t top, uint32_t page)
{
	atomic_store_explicit(page_link(NULL, page), top, memory_order_relaxed);
	return page;
}

static uint32_t chain_next(uint32_t page)
{
	return atomic_load_explicit(page_link(NULL, page), memory_order_relaxed);
}

/* Take all blocks of one size and mark them, find pairs by their marks, and put each pair back as one block. The
 * marks belong to this processor while it merges the node, and are all clear before and after. */
static void merge_order(struct memory_node *node, unsigned order)
{
	uint32_t taken = PAGE_NONE, single = PAGE_NONE, lower = PAGE_NONE, page, next;

	while ((page = pop(node, order)) != PAGE_NONE) {
		region_mark(region_of_page(page), page, true);
		taken = memory_node_chain_push(taken, page);
	}
	for (page = taken; page != PAGE_NONE; page = next) {
		const struct memory_region *region = region_of_page(page);
		uint32_t other = other_half(region, page, order);
		next = chain_next(page);
		if (other == PAGE_NONE || !region_is_marked(region, other))
			single = memory_node_chain_push(single, page);
		else if (page < other)
			lower = memory_node_chain_push(lower, page);
	}
	for (page = single; page != PAGE_NONE; page = next) {
		next = chain_next(page);
		region_mark(region_of_page(page), page, false);
		push(node, order, page);
	}
	for (page = lower; page != PAGE_NONE; page = next) {
		struct memory_region *region = region_of_page(page);
		next = chain_next(page);
		region_mark(region, page, false);
		region_mark(region, page + ((uint32_t)1 << order), false);
		push(node, order + 1, page);
	}
}

void node_merge(struct memory_node *node, unsigned order)
{
	if (atomic_load_explicit(&node->free, memory_order_relaxed) >> order == 0)
		return;
	/* false -> true; acquire: the marks, pairs with the release below. */
	if (atomic_exchange_explicit(&node->merging, true, memory_order_acquire))
		return;
	split_begin(node);
	for (unsigned smaller = 0; smaller < order; smaller++)
		merge_order(node, smaller);
	split_end(node);
	/* true -> false; release: pairs with the acquire above. */
	atomic_store_explicit(&node->merging, false, memory_order_release);
}

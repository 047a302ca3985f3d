#include "sched/node.h"

#include "kernel/memory.h"

/* The unused rest of the page from which a processor takes its nodes. */
static struct node_page {
	struct queue_node *next, *end;
} __attribute__((aligned(CACHE_LINE))) pages[PROCESSORS_MAXIMUM];

void node_start(void)
{
	for (unsigned index = 0; index < PROCESSORS_MAXIMUM; index++)
		pages[index].next = pages[index].end = NULL;
}

STACK_ENTRY(node_make)
struct queue_node *node_make(void)
{
	struct node_page *page = &pages[processor_current()->index];
	if (page->next == page->end) {
		struct queue_node *fresh = memory_allocate(PAGE_SIZE, MEMORY_ANY_NODE);
		if (!fresh)
			return NULL;
		page->next = fresh;
		page->end = fresh + PAGE_SIZE / sizeof(struct queue_node);
	}
	return page->next++;
}

struct queue_node *node_make_boot(void)
{
	struct queue_node *node = node_make();
	if (!node)
		memory_exhausted(PAGE_SIZE, "the nodes of ready queues");
	return node;
}

#include "sched/hazard.h"

#include <stdint.h>

struct hazard_slots hazard_slots[PROCESSORS_MAXIMUM];

/* Kept at most half full, so that a search is short and always meets a free place. */
static size_t table_length(unsigned count)
{
	size_t length = 4;
	while (length < (size_t)2 * HAZARDS_A_PROCESSOR * count)
		length *= 2;
	return length;
}

size_t hazard_set_bytes(unsigned count)
{
	return table_length(count) * sizeof(struct queue_node *);
}

void hazard_set_create(struct hazard_set *set, void *memory, unsigned count)
{
	set->table = memory;
	set->mask = table_length(count) - 1;
}

/* The place that holds the node, or the free place where it belongs. */
static size_t hazard_place_of(const struct hazard_set *set, const struct queue_node *node)
{
	size_t place = (size_t)(((uintptr_t)node >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 40) & set->mask;
	while (set->table[place] && set->table[place] != node)
		place = (place + 1) & set->mask;
	return place;
}

static void insert(struct hazard_set *set, struct queue_node *node)
{
	if (node)
		set->table[hazard_place_of(set, node)] = node;
}

void hazard_collect(struct hazard_set *set, unsigned own_index)
{
	for (size_t place = 0; place <= set->mask; place++)
		set->table[place] = NULL;
	for (unsigned index = 0; index < processor_count; index++) {
		if (index == own_index)
			continue;
		struct hazard_slots *slots = &hazard_slots[index];
		/* `second` first: this load pairs with the exchange in hazard_publish, so `first` is at least as new. */
		struct queue_node *second = atomic_load_explicit(&slots->second, memory_order_seq_cst);
		struct queue_node *first = atomic_load_explicit(&slots->first, memory_order_acquire);
		insert(set, second);
		insert(set, first);
	}
}

bool hazard_contains(const struct hazard_set *set, const struct queue_node *node)
{
	return set->table[hazard_place_of(set, node)] == node;
}

/*
 * A lock-free stack of numbered items, with single-word CAS. One word holds the top's number and a tag that counts
 * pushes, so that a top that went and came back differs from one that never left (ABA). The owner of the items keeps
 * their links outside of the items, in memory that is used for nothing else.
 *
 * State diagram of the word (n: number, t: tag):
 *     (none, t) --push a--> (a, t+1) --push b--> (b, t+2) --pop--> (a, t+2) --pop--> (none, t+2)
 *
 * A stale pop would go unnoticed only after 2^32 pushes between its load and its CAS.
 *
 * | operation | progress  | takes effect                              |
 * |-----------|-----------|-------------------------------------------|
 * | push      | lock-free | at its CAS                                |
 * | pop       | lock-free | at its CAS; empty: at the load of the top |
 * | is_empty  | wait-free | at the load of the top                    |
 */
#ifndef KERNEL_FREE_LIST_H
#define KERNEL_FREE_LIST_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define FREE_LIST_NONE UINT32_MAX

struct free_list {
	_Atomic uint64_t top; /* number in the low half, tag in the high half */
};

/* Where the link of an item is. */
typedef _Atomic uint32_t *(*free_list_link)(void *owner, uint32_t number);

static inline void free_list_create(struct free_list *list)
{
	atomic_store_explicit(&list->top, FREE_LIST_NONE, memory_order_relaxed);
}

static inline bool free_list_is_empty(const struct free_list *list)
{
	/* acquire: pairs with the release in free_list_pop. */
	return (uint32_t)atomic_load_explicit(&list->top, memory_order_acquire) == FREE_LIST_NONE;
}

static inline void free_list_push(struct free_list *list, free_list_link link, void *owner, uint32_t number)
{
	uint64_t top = atomic_load_explicit(&list->top, memory_order_relaxed);
	uint64_t replacement;
	do {
		atomic_store_explicit(link(owner, number), (uint32_t)top, memory_order_relaxed);
		replacement = (((top >> 32) + 1) << 32) | number;
		/* (a, t) -> (number, t+1); release: pairs with the acquire in free_list_pop, hands the item over. */
	} while (!atomic_compare_exchange_weak_explicit(&list->top, &top, replacement, memory_order_release,
	                                                memory_order_relaxed));
}

static inline uint32_t free_list_pop(struct free_list *list, free_list_link link, void *owner)
{
	/* acquire: pairs with the release in free_list_push, so that the link is read as it was pushed. */
	uint64_t top = atomic_load_explicit(&list->top, memory_order_acquire);
	for (;;) {
		uint32_t number = (uint32_t)top;
		if (number == FREE_LIST_NONE)
			return FREE_LIST_NONE;
		uint32_t below = atomic_load_explicit(link(owner, number), memory_order_relaxed);
		uint64_t replacement = (top & ~(uint64_t)UINT32_MAX) | below;
		/* (number, t) -> (below, t); acquire: as above, on success and for the next round. release: a processor that
		 * finds the item gone also sees what the taker did before it took it. */
		if (atomic_compare_exchange_weak_explicit(&list->top, &top, replacement, memory_order_acq_rel,
		                                          memory_order_acquire))
			return number;
	}
}

#endif

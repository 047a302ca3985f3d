/*
 * The contents of the benchmark `store`: an ordered set (tree.h) with values of one size, the nodes for it, and the
 * records by which it is checked. Everything except store_node_make() and store_node_free() is done under the lock
 * that is measured; lookups may run together.
 */
#ifndef USER_BENCH_STORE_SET_H
#define USER_BENCH_STORE_SET_H

#include "user/bench/tree.h"
#include "user/bench/witness.h"

#define STORE_VALUE_MAXIMUM 2048 /* bytes */

struct store_books {
	uint64_t inserts, deletes;        /* how often each was done */
	uint64_t inserted, inserted_keys; /* of the inserts: those of new keys */
	uint64_t deleted, deleted_keys;   /* of the deletes: those of existing keys */
	uint64_t unfilled;                /* for lack of memory for a node */
};

struct store {
	struct tree tree;
	struct pool *nodes;
	uint32_t size; /* bytes of a value */
	struct store_books books;
	struct witness witness; /* of tasks that change it */
};

/* Create an empty set for values of `size` bytes, a multiple of 8. */
void store_create(struct store *store, uint32_t size);

/* Free all nodes. */
void store_destroy(struct store *store);

/* A value that belongs to the key; `number` distinguishes it from other values of that key. */
void store_value_fill(const struct store *store, uint64_t *value, uint64_t key, uint32_t number);

/* A node with a copy of the value, or without one if that is NULL. NULL: no memory. */
struct tree_node *store_node_make(const struct store *store, uint64_t key, const uint64_t *value);
void store_node_free(const struct store *store, struct tree_node *node);

/* Copy the value, over the key's present value or into a new node. */
void store_insert(struct store *store, uint64_t key, const uint64_t *value);

/* Insert the node, in place of the key's present node. `node` NULL: there was no memory for it. */
void store_insert_node(struct store *store, struct tree_node *node);

void store_delete(struct store *store, uint64_t key);

/* Whether the key's value is one of its own values, complete. */
bool store_look_up(struct store *store, uint64_t key);

/* Whether the records agree with the tree and with what was requested. */
bool store_check(struct store *store, uint64_t inserts, uint64_t deletes);

#endif

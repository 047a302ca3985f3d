/*
 * What the benchmark `store` keeps: an ordered set (tree.h) with values of one size, the nodes for it, and
 * the books by which it is checked. All but store_node_make() and store_node_free() is done under the lock
 * that is measured; looking up, by many at a time.
 */
#ifndef USER_BENCH_STORE_SET_H
#define USER_BENCH_STORE_SET_H

#include "user/bench/tree.h"
#include "user/bench/witness.h"

#define STORE_VALUE_MAXIMUM 2048 /* bytes */

struct store_books {
	uint64_t inserts, deletes;        /* how often each was done; */
	uint64_t inserted, inserted_keys; /* of the inserts: of keys that were not there */
	uint64_t deleted, deleted_keys;   /* of the deletes: of keys that were there */
	uint64_t unfilled;                /* there was no memory for a node */
};

struct store {
	struct tree tree;
	struct pool *nodes;
	uint32_t size; /* bytes of a value */
	struct store_books books;
	struct witness witness; /* of whoever changes it */
};

/* An empty one for values of so many bytes, a multiple of 8. */
void store_create(struct store *store, uint32_t size);

/* Give all nodes back. */
void store_destroy(struct store *store);

/* A value that belongs to the key, `number` tells it from others of that key. */
void store_value_fill(const struct store *store, uint64_t *value, uint64_t key, uint32_t number);

/* A node with a copy of the value; without one if that is NULL. NULL: no memory. */
struct tree_node *store_node_make(const struct store *store, uint64_t key, const uint64_t *value);
void store_node_free(const struct store *store, struct tree_node *node);

/* Copy the value, over the one that the key has, or into a new node. */
void store_insert(struct store *store, uint64_t key, const uint64_t *value);

/* Put the node in, in place of the one that the key has; NULL: there was no memory for it. */
void store_insert_node(struct store *store, struct tree_node *node);

void store_delete(struct store *store, uint64_t key);

/* Whether what the key has is a value of its own, all of it. */
bool store_look_up(struct store *store, uint64_t key);

/* Whether the books agree with the tree and with what was asked for. */
bool store_check(struct store *store, uint64_t inserts, uint64_t deletes);

#endif

#include "user/bench/store_set.h"

#include <string.h>

#include "kernel/pool.h"

/* Memory for nodes is never used for anything else: there is a pool for each power of two that a node's size may
 * have. */
#define CLASS_FIRST ((size_t)64)
#define CLASSES     7

struct store_node {
	struct pool_object pooled;
	struct tree_node node;
};

_Static_assert(CLASS_FIRST << (CLASSES - 1) >= sizeof(struct store_node) + STORE_VALUE_MAXIMUM,
               "the largest nodes hold the largest values");

static struct pool *pool_for(size_t bytes)
{
	static struct pool pools[CLASSES];
	unsigned class = 0;
	while (CLASS_FIRST << class < bytes)
		class ++;
	if (!pools[class].state)
		pool_create(&pools[class], "nodes of a store", CLASS_FIRST << class, NULL);
	return &pools[class];
}

void store_create(struct store *store, uint32_t size)
{
	*store = (struct store){.size = size, .nodes = pool_for(sizeof(struct store_node) + size)};
}

void store_destroy(struct store *store)
{
	struct tree_node *node;
	while (store->tree.root && (node = tree_remove(&store->tree, store->tree.root->key)))
		store_node_free(store, node);
}

/* ---------------------------------------------------------------------------------- values and nodes -- */

void store_value_fill(const struct store *store, uint64_t *value, uint64_t key, uint32_t number)
{
	uint64_t first = (uint64_t)number << 32 | (uint32_t)key;
	for (size_t i = 0; i < store->size / sizeof(*value); i++)
		value[i] = first + i;
}

static bool value_is_right(const struct tree_node *node)
{
	if ((uint32_t)node->value[0] != (uint32_t)node->key)
		return false;
	for (size_t i = 1; i < node->size / sizeof(*node->value); i++)
		if (node->value[i] != node->value[0] + i)
			return false;
	return true;
}

struct tree_node *store_node_make(const struct store *store, uint64_t key, const uint64_t *value)
{
	struct store_node *made = (struct store_node *)pool_take(store->nodes);
	if (!made)
		return NULL;
	made->node.key = key;
	made->node.size = value ? store->size : 0;
	if (value)
		memcpy(made->node.value, value, store->size);
	return &made->node;
}

void store_node_free(const struct store *store, struct tree_node *node)
{
	pool_give(store->nodes,
	          &((struct store_node *)((char *)node - offsetof(struct store_node, node)))->pooled);
}

/* ------------------------------------------------------------------------------------ under the lock -- */

void store_insert_node(struct store *store, struct tree_node *node)
{
	uint64_t entered = witness_enter(&store->witness);
	store->books.inserts++;
	if (!node) {
		store->books.unfilled++;
	} else {
		uint64_t key = node->key;
		struct tree_node *old = tree_insert(&store->tree, node);
		if (old) {
			store_node_free(store, old);
		} else {
			store->books.inserted++;
			store->books.inserted_keys += key;
		}
	}
	witness_leave(&store->witness, entered);
}

void store_insert(struct store *store, uint64_t key, const uint64_t *value)
{
	struct tree_node *node = tree_find(&store->tree, key);
	if (!node) {
		store_insert_node(store, store_node_make(store, key, value));
		return;
	}
	uint64_t entered = witness_enter(&store->witness);
	store->books.inserts++;
	memcpy(node->value, value, store->size);
	witness_leave(&store->witness, entered);
}

void store_delete(struct store *store, uint64_t key)
{
	uint64_t entered = witness_enter(&store->witness);
	struct tree_node *node = tree_remove(&store->tree, key);
	store->books.deletes++;
	if (node) {
		store->books.deleted++;
		store->books.deleted_keys += key;
		store_node_free(store, node);
	}
	witness_leave(&store->witness, entered);
}

bool store_look_up(struct store *store, uint64_t key)
{
	uint64_t looked = witness_look(&store->witness);
	const struct tree_node *node = tree_find(&store->tree, key);
	bool right = !node || value_is_right(node);
	witness_look_again(&store->witness, looked);
	return right;
}

bool store_check(struct store *store, uint64_t inserts, uint64_t deletes)
{
	const struct store_books *books = &store->books;
	struct tree_sums sums;
	return tree_check(&store->tree, &sums) && witness_is_content(&store->witness, inserts + deletes) &&
	       books->inserts == inserts && books->deletes == deletes && books->unfilled == 0 &&
	       sums.count == books->inserted - books->deleted &&
	       sums.keys == books->inserted_keys - books->deleted_keys;
}

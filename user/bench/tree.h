/*
 * An ordered set of numbers with a value each: an AVL tree (delegation paper, section 5). It knows nothing of
 * tasks, and takes no memory: who inserts brings a node, and gets back the ones that leave. One may change
 * it, or several look, at a time.
 */
#ifndef USER_BENCH_TREE_H
#define USER_BENCH_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TREE_HEIGHT_MAXIMUM 64

struct tree_node {
	struct tree_node *left, *right;
	uint64_t key;
	uint32_t height; /* of a leaf: 1 */
	uint32_t size;   /* bytes of its value, which lies behind it */
	uint64_t value[];
};

/* Zeroed memory is an empty one. */
struct tree {
	struct tree_node *root;
};

/* NULL: the key is not there. */
struct tree_node *tree_find(const struct tree *tree, uint64_t key);

/* Put the node in; the node with the same key, that it takes the place of, or NULL. */
struct tree_node *tree_insert(struct tree *tree, struct tree_node *node);

/* Take the node with the key out; NULL: it is not there. */
struct tree_node *tree_remove(struct tree *tree, uint64_t key);

/* How many there are, and the sum of their keys. */
struct tree_sums {
	uint64_t count, keys;
};

/* False: the order, a height or the balance is wrong somewhere. */
bool tree_check(const struct tree *tree, struct tree_sums *sums);

#endif

/*
 * An ordered set of numbers with a value each: an AVL tree (delegation paper, section 5). It knows nothing of tasks
 * and allocates no memory: the caller of an insert brings a node, and gets back any node that leaves. Either one task
 * changes it at a time, or several look up.
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
	uint32_t size;   /* bytes of its value, which follows the node */
	uint64_t value[];
};

/* Zeroed memory is an empty one. */
struct tree {
	struct tree_node *root;
};

/* NULL: the key is not there. */
struct tree_node *tree_find(const struct tree *tree, uint64_t key);

/* Insert the node; returns the node with the same key that it replaces, or NULL. */
struct tree_node *tree_insert(struct tree *tree, struct tree_node *node);

/* Remove the node with the key; NULL: there is none. */
struct tree_node *tree_remove(struct tree *tree, uint64_t key);

/* The number of nodes, and the sum of their keys. */
struct tree_sums {
	uint64_t count, keys;
};

/* False: the order, a height or the balance is wrong somewhere. */
bool tree_check(const struct tree *tree, struct tree_sums *sums);

#endif

/* The ordered set of the benchmark `store`, compared with a table. */
#include "user/bench/tree.h"

#include "heddle/system.h"
#include "user/bench/random.h"
#include "user/test/test.h"

#define KEYS 300

static bool agrees(const struct tree *tree, struct tree_node *const *table)
{
	struct tree_sums sums;
	uint64_t count = 0, keys = 0;
	for (uint64_t key = 0; key < KEYS; key++) {
		if (tree_find(tree, key) != table[key])
			return false;
		count += table[key] != NULL;
		keys += table[key] ? key : 0;
	}
	return tree_check(tree, &sums) && sums.count == count && sums.keys == keys;
}

TEST(tree, does_as_a_table)
{
	struct tree_node *table[KEYS] = {0};
	struct tree_node *nodes = heddle_allocate(2 * KEYS * sizeof(*nodes));
	struct tree tree = {0};
	struct random random = random_start(1);
	CHECK(nodes);
	for (unsigned round = 0; round < 20000; round++) {
		uint64_t key = random_below(&random, KEYS);
		if (random_below(&random, 2)) {
			struct tree_node *node = &nodes[key + (table[key] == &nodes[key] ? KEYS : 0)];
			node->key = key;
			CHECK(tree_insert(&tree, node) == table[key]);
			table[key] = node;
		} else {
			CHECK(tree_remove(&tree, key) == table[key]);
			table[key] = NULL;
		}
		if (round % 64 == 0)
			CHECK(agrees(&tree, table));
	}
	CHECK(agrees(&tree, table));
	heddle_free(nodes, 2 * KEYS * sizeof(*nodes));
}

/* Keys that come in order, at both ends of their range. */
TEST(tree, stays_in_balance)
{
	struct tree_node *nodes = heddle_allocate(KEYS * sizeof(*nodes));
	struct tree tree = {0};
	struct tree_sums sums;
	CHECK(nodes);
	for (unsigned i = 0; i < KEYS; i++) {
		nodes[i].key = i % 2 ? i : UINT64_MAX - i;
		CHECK(!tree_insert(&tree, &nodes[i]));
		CHECK(tree_check(&tree, &sums));
	}
	CHECK_EQUAL(sums.count, KEYS);
	CHECK(tree.root->height <= 11);
	for (unsigned i = 0; i < KEYS; i++) {
		CHECK(tree_remove(&tree, nodes[i].key) == &nodes[i]);
		CHECK(tree_check(&tree, &sums));
	}
	CHECK(!tree.root);
	tree.root = &nodes[0];
	nodes[0] = (struct tree_node){.key = 5, .height = 2, .right = &nodes[1]};
	nodes[1] = (struct tree_node){.key = 4, .height = 1};
	CHECK(!tree_check(&tree, &sums));
	heddle_free(nodes, KEYS * sizeof(*nodes));
}

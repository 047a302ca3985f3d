#include "user/bench/tree.h"

static uint32_t height_of(const struct tree_node *node)
{
	return node ? node->height : 0;
}

static void update_height(struct tree_node *node)
{
	uint32_t left = height_of(node->left), right = height_of(node->right);
	node->height = 1 + (left > right ? left : right);
}

static struct tree_node *rotate_right(struct tree_node *node)
{
	struct tree_node *top = node->left;
	node->left = top->right;
	top->right = node;
	update_height(node);
	update_height(top);
	return top;
}

static struct tree_node *rotate_left(struct tree_node *node)
{
	struct tree_node *top = node->right;
	node->right = top->left;
	top->left = node;
	update_height(node);
	update_height(top);
	return top;
}

/* Balance a tree whose subtrees are balanced, and differ in height by at most 2; returns the new top. */
static struct tree_node *balance(struct tree_node *node)
{
	uint32_t left = height_of(node->left), right = height_of(node->right);
	if (left > right + 1) {
		if (height_of(node->left->right) > height_of(node->left->left))
			node->left = rotate_left(node->left);
		return rotate_right(node);
	}
	if (right > left + 1) {
		if (height_of(node->right->left) > height_of(node->right->right))
			node->right = rotate_right(node->right);
		return rotate_left(node);
	}
	update_height(node);
	return node;
}

/* The links from the root down to a changed place. */
struct path {
	struct tree_node **links[TREE_HEIGHT_MAXIMUM];
	unsigned length;
};

/* Upwards, until a height does not change. */
static void balance_path(struct path *path)
{
	while (path->length > 0) {
		struct tree_node **link = path->links[--path->length];
		uint32_t height = (*link)->height;
		*link = balance(*link);
		if ((*link)->height == height)
			return;
	}
}

/* The link to the node with the key, or to where it belongs; the links above it form the path. */
static struct tree_node **descend(struct tree *tree, uint64_t key, struct path *path)
{
	struct tree_node **link = &tree->root;
	path->length = 0;
	while (*link && (*link)->key != key) {
		path->links[path->length++] = link;
		link = key < (*link)->key ? &(*link)->left : &(*link)->right;
	}
	return link;
}

struct tree_node *tree_find(const struct tree *tree, uint64_t key)
{
	struct tree_node *node = tree->root;
	while (node && node->key != key)
		node = key < node->key ? node->left : node->right;
	return node;
}

static void replace(struct tree_node **link, struct tree_node *node)
{
	node->left = (*link)->left;
	node->right = (*link)->right;
	node->height = (*link)->height;
	*link = node;
}

struct tree_node *tree_insert(struct tree *tree, struct tree_node *node)
{
	struct path path;
	struct tree_node **link = descend(tree, node->key, &path), *old = *link;
	if (old) {
		replace(link, node);
		return old;
	}
	node->left = node->right = NULL;
	node->height = 1;
	*link = node;
	balance_path(&path);
	return NULL;
}

struct tree_node *tree_remove(struct tree *tree, uint64_t key)
{
	struct path path;
	struct tree_node **link = descend(tree, key, &path), *node = *link;
	if (!node)
		return NULL;
	if (!node->left || !node->right) {
		*link = node->left ? node->left : node->right;
	} else {
		/* The next larger node takes its place. */
		unsigned place = path.length;
		path.links[path.length++] = link;
		struct tree_node **lowest = &node->right;
		for (; (*lowest)->left; lowest = &(*lowest)->left)
			path.links[path.length++] = lowest;
		struct tree_node *next = *lowest;
		*lowest = next->right;
		replace(link, next);
		if (path.length > place + 1)
			path.links[place + 1] = &next->right;
	}
	balance_path(&path);
	return node;
}

/* Returns the height; 0 also means an error. */
static uint32_t check(const struct tree_node *node, uint64_t least, uint64_t most, struct tree_sums *sums,
                      bool *right)
{
	if (!node)
		return 0;
	if (node->key < least || node->key > most || node->height > TREE_HEIGHT_MAXIMUM) {
		*right = false;
		return 0;
	}
	uint32_t lower = node->key > least ? check(node->left, least, node->key - 1, sums, right) : 0;
	uint32_t upper = node->key < most ? check(node->right, node->key + 1, most, sums, right) : 0;
	uint32_t higher = lower > upper ? lower : upper, other = lower + upper - higher;
	if (node->height != higher + 1 || higher > other + 1 || (node->key == least && node->left) ||
	    (node->key == most && node->right))
		*right = false;
	sums->count++;
	sums->keys += node->key;
	return node->height;
}

bool tree_check(const struct tree *tree, struct tree_sums *sums)
{
	bool right = true;
	*sums = (struct tree_sums){0};
	check(tree->root, 0, UINT64_MAX, sums, &right);
	return right;
}

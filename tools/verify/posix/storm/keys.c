/*
 * Keys: each value that a thread has at its end is destroyed once, and only that; a new key has no values.
 */
#include "storm.h"

#define KEYS 3

/* Of a turn. */
struct keys {
	pthread_key_t keys[KEYS];
	_Atomic unsigned made, destroyed;
};

struct value {
	struct keys *keys;
	pthread_key_t key;
	unsigned again; /* how often the destructor sets it anew */
};

static void destroy(void *argument)
{
	struct value *value = argument;
	CHECK(pthread_getspecific(value->key) == NULL);
	if (value->again > 0) {
		value->again--;
		CHECK(pthread_setspecific(value->key, value) == 0);
		return;
	}
	atomic_fetch_add(&value->keys->destroyed, 1);
	scribble(value, sizeof(*value));
	free(value);
}

static void *set_values(void *argument)
{
	struct child *child = argument;
	struct self *self = &child->self;
	struct keys *keys = child->shared;
	struct value *values[KEYS] = {NULL};
	for (unsigned i = 0; i < KEYS; i++) {
		CHECK(pthread_getspecific(keys->keys[i]) == NULL);
		if (draw(self, 4) == 0)
			continue;
		values[i] = malloc(sizeof(struct value));
		*values[i] = (struct value){keys, keys->keys[i], draw(self, 3)};
		atomic_fetch_add(&keys->made, 1);
		OK(self, pthread_setspecific(keys->keys[i], values[i]));
	}
	dawdle(self);
	for (unsigned i = 0; i < KEYS; i++)
		CHECK(pthread_getspecific(keys->keys[i]) == values[i]);
	if (draw(self, 2))
		pthread_exit(child);
	return child;
}

static void turn(struct self *self)
{
	struct child children[STORM_CHILDREN];
	unsigned count = 1 + draw(self, STORM_CHILDREN);
	struct keys *keys = calloc(1, sizeof(*keys));
	for (unsigned i = 0; i < KEYS; i++) {
		OK(self, pthread_key_create(&keys->keys[i], destroy));
		CHECK(pthread_getspecific(keys->keys[i]) == NULL);
		OK(self, pthread_setspecific(keys->keys[i], self)); /* of no value for a later key in its place */
	}
	children_begin(self, children, count, set_values, keys);
	children_end(self, children, count);
	CHECK(keys->made == keys->destroyed);
	for (unsigned i = 0; i < KEYS; i++)
		OK(self, pthread_key_delete(keys->keys[i]));
	free(keys);
}

const struct kind kind_keys = {.name = "keys", .weight = 3, .turn = turn};

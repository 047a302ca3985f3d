/*
 * Values of threads by keys. A key has a turn, which is odd while the key exists: so a value that was set for an
 * earlier key in the same place does not count.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "user/posix/table.h"

#define KEYS   PTHREAD_KEYS_MAX
#define BLOCK  32
#define BLOCKS (KEYS / BLOCK)

static struct key {
	_Atomic uint32_t turn;
	void (*destructor)(void *);
} keys[KEYS];

struct value {
	void *value;
	uint32_t turn;
};

/* Made as values are set. */
struct thread_values {
	struct value *blocks[BLOCKS];
};

static uint32_t turn_of(pthread_key_t key)
{
	/* acquire: the key's destructor, from pthread_key_create(). */
	return key < KEYS ? atomic_load_explicit(&keys[key].turn, memory_order_acquire) : 0;
}

static bool is_made(uint32_t turn)
{
	return turn % 2 == 1;
}

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
	pthread_key_t place = 0;
	thread_lock();
	while (place < KEYS && is_made(turn_of(place)))
		place++;
	if (place < KEYS) {
		keys[place].destructor = destructor;
		/* release: the destructor, for turn_of(). */
		atomic_store_explicit(&keys[place].turn, turn_of(place) + 1, memory_order_release);
		*key = place;
	}
	thread_unlock();
	return place < KEYS ? 0 : EAGAIN;
}

int pthread_key_delete(pthread_key_t key)
{
	thread_lock();
	uint32_t turn = turn_of(key);
	if (is_made(turn))
		atomic_store_explicit(&keys[key].turn, turn + 1, memory_order_relaxed);
	thread_unlock();
	return is_made(turn) ? 0 : EINVAL;
}

/* The thread's value for a key; NULL: it has none. */
static struct value *find(const struct thread *thread, pthread_key_t key)
{
	struct value *block = thread && thread->values ? thread->values->blocks[key / BLOCK] : NULL;
	return block ? &block[key % BLOCK] : NULL;
}

/* NULL: no memory. */
static struct value *find_or_make(struct thread *thread, pthread_key_t key)
{
	if (thread && !thread->values)
		thread->values = calloc(1, sizeof(*thread->values));
	if (!thread || !thread->values)
		return NULL;
	struct value **block = &thread->values->blocks[key / BLOCK];
	if (!*block)
		*block = calloc(BLOCK, sizeof(**block));
	return find(thread, key);
}

void *pthread_getspecific(pthread_key_t key)
{
	uint32_t turn = turn_of(key);
	const struct value *value = is_made(turn) ? find(thread_current_or_none(), key) : NULL;
	return value && value->turn == turn ? value->value : NULL;
}

int pthread_setspecific(pthread_key_t key, const void *value)
{
	uint32_t turn = turn_of(key);
	if (!is_made(turn))
		return EINVAL;
	struct value *place = find_or_make(thread_current(), key);
	if (!place)
		return ENOMEM;
	*place = (struct value){(void *)value, turn};
	return 0;
}

/* ------------------------------------------------------------------------------------------------- end -- */

/* Returns whether there was anything to destroy: destructors may set values anew. */
static bool destroy_values(const struct thread *thread)
{
	bool any = false;
	for (pthread_key_t key = 0; key < KEYS; key++) {
		struct value *place = find(thread, key);
		uint32_t turn = turn_of(key);
		if (!place || !place->value || place->turn != turn || !keys[key].destructor)
			continue;
		void *value = place->value;
		place->value = NULL;
		keys[key].destructor(value);
		any = true;
	}
	return any;
}

void thread_values_end(struct thread *thread)
{
	if (!thread->values)
		return;
	for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS && destroy_values(thread); round++)
		continue;
	for (size_t block = 0; block < BLOCKS; block++)
		free(thread->values->blocks[block]);
	free(thread->values);
	thread->values = NULL;
}

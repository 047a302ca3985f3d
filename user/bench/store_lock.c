#include "user/bench/store_lock.h"

#include <string.h>

#include "heddle/system.h"

/* -------------------------------------------------------------------------------------- its lifetime -- */

static enum heddle_error delegation_create(struct store_lock *lock, const struct store_lock_options *options)
{
	unsigned queues = lock->kind == LOCK_HQD ? hqd_nodes() : 1;
	lock->slot_count = queues * options->slots;
	lock->slots = heddle_allocate(lock->slot_count * sizeof(*lock->slots));
	if (!lock->slots)
		return HEDDLE_NO_MEMORY;
	if (lock->kind == LOCK_HQD)
		return hqd_lock_create(&lock->hqd, queues, lock->slots, options->slots, options->limit);
	return lock->kind == LOCK_QD ? qd_lock_create(&lock->qd, lock->slots, options->slots, options->limit)
	                             : mrqd_lock_create(&lock->mrqd, lock->slots, options->slots, options->limit);
}

static enum heddle_error ccsynch_create(struct store_lock *lock, const struct store_lock_options *options)
{
	lock->node_count = options->users + 1;
	lock->nodes = heddle_allocate(lock->node_count * sizeof(*lock->nodes));
	if (!lock->nodes)
		return HEDDLE_NO_MEMORY;
	ccsynch_lock_create(&lock->ccsynch, &lock->nodes[options->users]);
	return HEDDLE_OK;
}

enum heddle_error store_lock_create(struct store_lock *lock, const struct store_lock_options *options)
{
	*lock = (struct store_lock){.kind = options->kind, .step = options->step};
	if (lock->kind == LOCK_QD || lock->kind == LOCK_HQD || lock->kind == LOCK_MRQD)
		return delegation_create(lock, options);
	if (lock->kind == LOCK_ADDED)
		added_lock_create(&lock->added, options->added);
	if (lock->kind == LOCK_COHORT)
		return ttas_mcs_lock_create(&lock->cohort, NULL, lock->queues, STORE_QUEUES,
		                            HEDDLE_TTAS_MCS_PROCESSOR);
	return lock->kind == LOCK_CCSYNCH ? ccsynch_create(lock, options) : HEDDLE_OK;
}

void store_lock_destroy(struct store_lock *lock)
{
	heddle_free(lock->slots, lock->slot_count * sizeof(*lock->slots));
	heddle_free(lock->nodes, lock->node_count * sizeof(*lock->nodes));
}

struct ccsynch_node *store_lock_node(const struct store_lock *lock, size_t user)
{
	return lock->nodes ? &lock->nodes[user] : NULL;
}

/* ------------------------------------------------------------------------------------------ delegate -- */

/* The functions of a delegation lock with one queue or several. */
static struct qd_lock *only_queue(struct store_lock *lock)
{
	return lock->kind == LOCK_MRQD ? &lock->mrqd.lock : &lock->qd;
}

static enum heddle_error delegate_detached(struct store_lock *lock, qd_section section, size_t size,
                                           const void *message)
{
	return lock->kind == LOCK_HQD ? hqd_delegate(&lock->hqd, section, size, message)
	                              : qd_delegate(only_queue(lock), section, size, message);
}

static enum heddle_error delegate_awaited(struct store_lock *lock, qd_section section, size_t size,
                                          void *message)
{
	return lock->kind == LOCK_HQD ? hqd_delegate_wait(&lock->hqd, section, size, message)
	                              : qd_delegate_wait(only_queue(lock), section, size, message);
}

static enum heddle_error buffer_open(struct store_lock *lock, size_t size, void **buffer)
{
	return lock->kind == LOCK_HQD ? hqd_delegate_or_lock(&lock->hqd, size, buffer)
	                              : qd_delegate_or_lock(only_queue(lock), size, buffer);
}

static enum heddle_error buffer_close(struct store_lock *lock, void *buffer, qd_section section)
{
	return lock->kind == LOCK_HQD ? hqd_close_buffer(&lock->hqd, buffer, section)
	                              : qd_close_buffer(only_queue(lock), buffer, section);
}

static enum heddle_error delegation_unlock(struct store_lock *lock)
{
	return lock->kind == LOCK_HQD ? hqd_delegate_unlock(&lock->hqd) : qd_delegate_unlock(only_queue(lock));
}

/* ----------------------------------------------------------------------------------- delegated sections --
 */

/* Under the lock. */
static void carry_out(void *argument)
{
	struct store_operation *operation = argument;
	if (operation->kind == LOOK_UP)
		operation->wrong = !store_look_up(operation->store, operation->key);
	else if (operation->kind == INSERT)
		store_insert(operation->store, operation->key, operation->value);
	else
		store_delete(operation->store, operation->key);
}

static void carry_out_here(size_t size, void *message)
{
	(void)size;
	carry_out(message);
}

/* STEP_ALLOCATE: the node with a new value, or a node that names the key to delete. */
struct node_message {
	struct store *store;
	struct tree_node *node;
	bool inserts;
};

static void carry_out_with_node(size_t size, void *argument)
{
	(void)size;
	const struct node_message *message = argument;
	if (message->inserts) {
		store_insert_node(message->store, message->node);
	} else {
		store_delete(message->store, message->node->key);
		store_node_free(message->store, message->node);
	}
}

/* STEP_COPY: followed by the value, or not. */
struct copied_message {
	struct store *store;
	uint64_t key;
	uint64_t value[];
};

size_t store_message_size(size_t value_size)
{
	return sizeof(struct copied_message) + value_size;
}

static void carry_out_copied(size_t size, void *argument)
{
	const struct copied_message *message = argument;
	if (size > sizeof(*message))
		store_insert(message->store, message->key, message->value);
	else
		store_delete(message->store, message->key);
}

static enum heddle_error delegate_with_node(struct store_lock *lock, const struct store_operation *operation)
{
	bool inserts = operation->kind == INSERT;
	struct node_message message = {operation->store, NULL, inserts};
	message.node = store_node_make(operation->store, operation->key, inserts ? operation->value : NULL);
	if (!message.node)
		return HEDDLE_NO_MEMORY;
	return delegate_detached(lock, carry_out_with_node, sizeof(message), &message);
}

static enum heddle_error delegate_copied(struct store_lock *lock, struct store_operation *operation)
{
	size_t value_size = operation->kind == INSERT ? operation->store->size : 0;
	void *buffer;
	enum heddle_error error = buffer_open(lock, store_message_size(value_size), &buffer);
	if (error != HEDDLE_OK)
		return error;
	if (!buffer) {
		carry_out(operation);
		return delegation_unlock(lock);
	}
	struct copied_message *message = buffer;
	message->store = operation->store;
	message->key = operation->key;
	if (value_size > 0)
		memcpy(message->value, operation->value, value_size);
	return buffer_close(lock, buffer, carry_out_copied);
}

static enum heddle_error delegate(struct store_lock *lock, struct store_operation *operation)
{
	if (lock->step == STEP_ALLOCATE && operation->kind != LOOK_UP)
		return delegate_with_node(lock, operation);
	if (lock->step == STEP_COPY && operation->kind != LOOK_UP)
		return delegate_copied(lock, operation);
	return delegate_awaited(lock, carry_out_here, sizeof(*operation), operation);
}

/* --------------------------------------------------------------------------------------------- do it -- */

static enum heddle_error read(struct store_lock *lock, struct store_operation *operation)
{
	enum heddle_error error;
	switch (lock->kind) {
	case LOCK_EXCHANGE:
		error = reader_writer_lock_read(&lock->exchange);
		if (error != HEDDLE_OK)
			return error;
		carry_out(operation);
		return reader_writer_lock_read_unlock(&lock->exchange);
	case LOCK_ADDED:
		added_lock_read_lock(&lock->added);
		carry_out(operation);
		added_lock_read_unlock(&lock->added);
		return HEDDLE_OK;
	case LOCK_DRMCS:
		drmcs_read_lock(&lock->drmcs);
		carry_out(operation);
		return drmcs_read_unlock(&lock->drmcs);
	default:
		error = mrqd_read_lock(&lock->mrqd);
		if (error != HEDDLE_OK)
			return error;
		carry_out(operation);
		return mrqd_read_unlock(&lock->mrqd);
	}
}

static enum heddle_error take(struct store_lock *lock)
{
	switch (lock->kind) {
	case LOCK_EXCHANGE:
		return reader_writer_lock_write(&lock->exchange);
	case LOCK_MUTEX:
		return mutex_lock(&lock->mutex);
	case LOCK_DISPATCH:
		return dispatch_mutex_lock(&lock->dispatch);
	case LOCK_TTAS:
		return ttas_lock_lock(&lock->ttas);
	case LOCK_MCS:
		return mcs_lock_lock(&lock->mcs);
	case LOCK_COHORT:
		return ttas_mcs_lock_lock(&lock->cohort);
	case LOCK_ADDED:
		added_lock_lock(&lock->added);
		return HEDDLE_OK;
	default:
		return HEDDLE_BAD_ARGUMENT;
	}
}

static enum heddle_error give(struct store_lock *lock)
{
	switch (lock->kind) {
	case LOCK_EXCHANGE:
		return reader_writer_lock_write_unlock(&lock->exchange);
	case LOCK_MUTEX:
		return mutex_unlock(&lock->mutex);
	case LOCK_DISPATCH:
		return dispatch_mutex_unlock(&lock->dispatch);
	case LOCK_TTAS:
		return ttas_lock_unlock(&lock->ttas);
	case LOCK_MCS:
		return mcs_lock_unlock(&lock->mcs);
	case LOCK_COHORT:
		return ttas_mcs_lock_unlock(&lock->cohort);
	case LOCK_ADDED:
		added_lock_unlock(&lock->added);
		return HEDDLE_OK;
	default:
		return HEDDLE_BAD_ARGUMENT;
	}
}

static enum heddle_error write(struct store_lock *lock, struct store_operation *operation)
{
	enum heddle_error error;
	switch (lock->kind) {
	case LOCK_CCSYNCH:
		return ccsynch_lock_run(&lock->ccsynch, operation->mine, carry_out, operation);
	case LOCK_DRMCS:
		drmcs_write_lock(&lock->drmcs);
		carry_out(operation);
		return drmcs_write_unlock(&lock->drmcs);
	case LOCK_QD:
	case LOCK_HQD:
	case LOCK_MRQD:
		return delegate(lock, operation);
	default:
		error = take(lock);
		if (error != HEDDLE_OK)
			return error;
		carry_out(operation);
		return give(lock);
	}
}

enum heddle_error store_lock_do(struct store_lock *lock, struct store_operation *operation)
{
	bool shared = lock->kind == LOCK_EXCHANGE || lock->kind == LOCK_DRMCS || lock->kind == LOCK_MRQD ||
	              lock->kind == LOCK_ADDED;
	return shared && operation->kind == LOOK_UP ? read(lock, operation) : write(lock, operation);
}

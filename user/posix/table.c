#include "user/posix/table.h"

#include <stdlib.h>

#include "heddle/host.h"
#include "heddle/mutex.h"

#define CHUNK      256 /* threads that are made at a time */
#define CHUNKS     4096
#define INDEX_BITS 20

_Static_assert(CHUNK *CHUNKS == 1 << INDEX_BITS, "a number has room for each place");

static struct mutex lock;
static struct thread *chunks[CHUNKS];
static uint32_t chunk_count;
static struct thread *free_threads;

void thread_lock(void)
{
	if (thread_task("pthread_create()"))
		while (thread_wait_again(mutex_lock(&lock), "pthread_create()"))
			continue;
}

void thread_unlock(void)
{
	if (heddle_calling_task())
		mutex_unlock(&lock);
}

static bool chunk_make(void)
{
	struct thread *chunk = chunk_count < CHUNKS ? calloc(CHUNK, sizeof(*chunk)) : NULL;
	if (!chunk)
		return false;
	for (uint32_t i = 0; i < CHUNK; i++) {
		chunk[i].index = chunk_count * CHUNK + i;
		chunk[i].next = i + 1 < CHUNK ? &chunk[i + 1] : NULL;
	}
	chunks[chunk_count++] = chunk;
	free_threads = chunk;
	return true;
}

struct thread *thread_make(void)
{
	if (!free_threads && !chunk_make())
		return NULL;
	struct thread *thread = free_threads;
	free_threads = thread->next;
	*thread = (struct thread){
	    .index = thread->index, .turn = thread->turn + 1, .state = THREAD_RUNNING, .policy = SCHED_OTHER};
	return thread;
}

void thread_free(struct thread *thread)
{
	thread->state = THREAD_FREE;
	thread->next = free_threads;
	free_threads = thread;
}

pthread_t thread_number(const struct thread *thread)
{
	return (pthread_t)thread->turn << INDEX_BITS | thread->index;
}

struct thread *thread_find(pthread_t number)
{
	uint32_t index = number & ((1u << INDEX_BITS) - 1);
	if (index >= chunk_count * CHUNK)
		return NULL;
	struct thread *thread = &chunks[index / CHUNK][index % CHUNK];
	return thread->state != THREAD_FREE && thread_number(thread) == number ? thread : NULL;
}

struct thread *thread_search(bool (*holds)(const struct thread *thread, const void *argument),
                             const void *argument)
{
	for (uint32_t i = 0; i < chunk_count * CHUNK; i++) {
		struct thread *thread = &chunks[i / CHUNK][i % CHUNK];
		if (thread->state != THREAD_FREE && holds(thread, argument))
			return thread;
	}
	return NULL;
}

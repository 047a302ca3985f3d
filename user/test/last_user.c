/* The last user of a lock may overwrite it as soon as its last call has returned: no task is still inside, not even
 * one that served others. (The mutex: mutex_holder.c; barrier and latch: their own files.) */
#include <string.h>

#include "heddle/reader_writer_lock.h"
#include "heddle/semaphore.h"
#include "heddle/system.h"
#include "user/crew.h"
#include "user/test/test.h"

#define USERS   6
#define OBJECTS 200
#define OVER    0xa5

struct object {
	union {
		struct semaphore semaphore;
		struct reader_writer_lock lock;
	};
	_Atomic unsigned users; /* tasks whose last call has not returned */
};

struct objects {
	struct object all[OBJECTS];
	bool semaphores;
};

static bool use(struct object *object, bool semaphore, bool reads, bool yields)
{
	enum heddle_error error;
	if (semaphore)
		error = semaphore_acquire(&object->semaphore, 1);
	else
		error = reads ? reader_writer_lock_read(&object->lock) : reader_writer_lock_write(&object->lock);
	if (error != HEDDLE_OK)
		return false;
	if (yields)
		task_yield();
	if (semaphore)
		error = semaphore_release(&object->semaphore, 1);
	else
		error = reads ? reader_writer_lock_read_unlock(&object->lock)
		              : reader_writer_lock_write_unlock(&object->lock);
	return error == HEDDLE_OK;
}

static intptr_t use_each(size_t number, void *argument)
{
	struct objects *objects = argument;
	for (unsigned i = 0; i < OBJECTS; i++) {
		struct object *object = &objects->all[i];
		if (!use(object, objects->semaphores, (number + i) % 3, (number + i) % 5 == 0))
			return 0;
		if (atomic_fetch_sub_explicit(&object->users, 1, memory_order_acq_rel) == 1)
			memset(object, OVER, sizeof(*object));
	}
	return 1;
}

static bool is_overwritten(const void *memory, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (((const unsigned char *)memory)[i] != OVER)
			return false;
	return true;
}

static void check(struct test_state *test, bool semaphores)
{
	struct objects *objects = heddle_allocate(sizeof(*objects));
	CHECK(objects);
	for (unsigned round = 0; round < 6; round++) {
		struct crew crew = {.function = use_each, .argument = objects, .count = USERS, .bound = round % 2};
		intptr_t done = 0;
		memset(objects, 0, sizeof(*objects));
		objects->semaphores = semaphores;
		for (unsigned i = 0; i < OBJECTS; i++) {
			objects->all[i].users = USERS;
			if (semaphores)
				objects->all[i].semaphore = (struct semaphore)HEDDLE_SEMAPHORE_INITIALIZER(1);
		}
		CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
		crew_start(&crew);
		CHECK_EQUAL(crew_join(&crew, &done), HEDDLE_OK);
		CHECK_EQUAL(done, USERS);
		CHECK(is_overwritten(objects->all, sizeof(objects->all)));
	}
	heddle_free(objects, sizeof(*objects));
}

TEST(last_user, of_a_semaphore)
{
	check(test, true);
}

TEST(last_user, of_a_reader_writer_lock)
{
	check(test, false);
}

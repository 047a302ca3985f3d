/* The mutex and its holder: misuse, uncooperative regions, a holder that ends, and the end of the mutex. */
#include <string.h>

#include "heddle/mutex.h"
#include "user/crew.h"
#include "user/test/test.h"
#include "user/test/waiting.h"

static enum heddle_error lock_and_unlock(struct waiting *waiting)
{
	enum heddle_error error = mutex_lock(waiting->object);
	if (error == HEDDLE_OK || error == HEDDLE_OWNER_DIED)
		mutex_unlock(waiting->object);
	return error;
}

/* ------------------------------------------------------------------------------------------- misuse -- */

TEST(mutex, trying_what_one_holds)
{
	struct mutex mutex = HEDDLE_MUTEX_INITIALIZER;
	CHECK_EQUAL(mutex_try_lock(&mutex), HEDDLE_OK);
	CHECK_EQUAL(mutex_try_lock(&mutex), HEDDLE_RELOCKED);
	CHECK_EQUAL(mutex_unlock(&mutex), HEDDLE_OK);
	CHECK_EQUAL(mutex_try_lock(&mutex), HEDDLE_OK);
	CHECK_EQUAL(mutex_unlock(&mutex), HEDDLE_OK);
}

/* A debug build panics: user/demo/misbehave.c. */
#ifndef HEDDLE_DEBUG
static enum heddle_error misuse(struct waiting *waiting)
{
	enum heddle_error error = mutex_unlock(waiting->object);
	if (error != HEDDLE_NOT_OWNER)
		return error;
	error = mutex_repair(waiting->object);
	if (error != HEDDLE_NOT_OWNER)
		return error;
	return mutex_destroy(waiting->object);
}

TEST(mutex, misuse_changes_nothing)
{
	struct mutex mutex = HEDDLE_MUTEX_INITIALIZER;
	struct waiting waiting = {.wait = lock_and_unlock, .object = &mutex};
	struct waiting other = {.wait = misuse, .object = &mutex};
	CHECK_EQUAL(mutex_unlock(&mutex), HEDDLE_NOT_OWNER);
	CHECK_EQUAL(mutex_lock(&mutex), HEDDLE_OK);
	CHECK(waiting_start(&waiting));
	CHECK_EQUAL(mutex_lock(&mutex), HEDDLE_RELOCKED);
	CHECK_EQUAL(mutex_lock_until(&mutex, 0), HEDDLE_RELOCKED);
	CHECK_EQUAL(mutex_destroy(&mutex), HEDDLE_IN_USE);
	CHECK(waiting_create(&other));
	CHECK_EQUAL(waiting_end(&other), HEDDLE_IN_USE);
	CHECK_EQUAL(mutex_try_lock(&mutex), HEDDLE_RELOCKED);
	CHECK_EQUAL(mutex_unlock(&mutex), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&waiting), HEDDLE_OK);
	CHECK_EQUAL(mutex_destroy(&mutex), HEDDLE_OK);
}
#endif

TEST(mutex, several_are_given_up_in_any_order)
{
	struct mutex mutexes[5] = {HEDDLE_MUTEX_INITIALIZER};
	static const unsigned order[5] = {2, 0, 4, 1, 3};
	for (unsigned round = 0; round < 3; round++) {
		for (unsigned i = 0; i < 5; i++)
			CHECK_EQUAL(mutex_lock(&mutexes[i]), HEDDLE_OK);
		for (unsigned i = 0; i < 5; i++)
			CHECK_EQUAL(mutex_unlock(&mutexes[order[i]]), HEDDLE_OK);
	}
	for (unsigned i = 0; i < 5; i++)
		CHECK_EQUAL(mutex_destroy(&mutexes[i]), HEDDLE_OK);
}

/* ------------------------------------------------------------------------------ uncooperative regions -- */

static enum heddle_error lock(struct waiting *waiting)
{
	return mutex_lock(waiting->object);
}

static enum heddle_error lock_uncooperatively(struct waiting *waiting)
{
	struct waiting inner = {.wait = lock, .object = waiting->object};
	return uncooperatively(&inner);
}

static enum heddle_error unlock(struct waiting *waiting)
{
	return mutex_unlock(waiting->object);
}

TEST(mutex, uncooperative_regions)
{
	struct mutex mutex = HEDDLE_MUTEX_INITIALIZER;
	struct waiting refused = {.wait = lock_uncooperatively, .object = &mutex};
	struct waiting inside = {.wait = unlock, .object = &mutex};
	struct waiting waiting[3];
	CHECK_EQUAL(lock_uncooperatively(&refused), HEDDLE_OK);
	CHECK(waiting_create(&refused));
	CHECK_EQUAL(waiting_end(&refused), HEDDLE_UNCOOPERATIVE);
	for (unsigned i = 0; i < 3; i++) {
		waiting[i] = (struct waiting){.wait = lock_and_unlock, .object = &mutex};
		CHECK(waiting_start(&waiting[i]));
	}
	CHECK_EQUAL(uncooperatively(&inside), HEDDLE_OK);
	for (unsigned i = 0; i < 3; i++)
		CHECK_EQUAL(waiting_end(&waiting[i]), HEDDLE_OK);
	CHECK_EQUAL(mutex_destroy(&mutex), HEDDLE_OK);
}

/* -------------------------------------------------------------------------------- a holder that ends -- */

static enum heddle_error end_with_it(struct waiting *waiting)
{
	struct mutex *mutexes = waiting->object;
	for (size_t i = 0; i < waiting->number; i++)
		mutex_lock(&mutexes[i]);
	task_suspend();
	return HEDDLE_OK;
}

__attribute__((noinline, no_sanitize("address", "thread", "undefined"))) static enum heddle_error
fault_with_it(struct waiting *waiting)
{
	volatile uintptr_t nowhere = 16;
	end_with_it(waiting);
	*(volatile uint32_t *)nowhere = 1;
	return HEDDLE_OK;
}

static void holder_ends(struct test_state *test, bool by_fault)
{
	struct mutex mutexes[2] = {HEDDLE_MUTEX_INITIALIZER};
	struct waiting holder = {.wait = by_fault ? fault_with_it : end_with_it, .object = mutexes, .number = 2};
	struct waiting waiting[2];
	CHECK(waiting_start(&holder));
	for (unsigned i = 0; i < 2; i++) {
		waiting[i] = (struct waiting){.wait = lock_and_unlock, .object = &mutexes[0]};
		CHECK(waiting_start(&waiting[i]));
	}
	CHECK_EQUAL(mutex_try_lock(&mutexes[1]), HEDDLE_BUSY);
	task_resume(holder.task);
	CHECK_EQUAL(waiting_end(&holder), by_fault ? HEDDLE_TASK_FAULT : HEDDLE_OK);
	for (unsigned i = 0; i < 2; i++)
		CHECK_EQUAL(waiting_end(&waiting[i]), HEDDLE_OWNER_DIED);
	/* Also if no task waited; and again and again, until it is repaired. */
	for (unsigned i = 0; i < 2; i++) {
		CHECK_EQUAL(mutex_lock_until(&mutexes[i], 0), HEDDLE_OWNER_DIED);
		CHECK_EQUAL(mutex_unlock(&mutexes[i]), HEDDLE_OK);
		CHECK_EQUAL(mutex_try_lock(&mutexes[i]), HEDDLE_OWNER_DIED);
		CHECK_EQUAL(mutex_repair(&mutexes[i]), HEDDLE_OK);
		CHECK_EQUAL(mutex_unlock(&mutexes[i]), HEDDLE_OK);
		CHECK_EQUAL(mutex_lock(&mutexes[i]), HEDDLE_OK);
		CHECK_EQUAL(mutex_unlock(&mutexes[i]), HEDDLE_OK);
		CHECK_EQUAL(mutex_destroy(&mutexes[i]), HEDDLE_OK);
	}
}

TEST(mutex, holder_returns)
{
	holder_ends(test, false);
}

TEST(mutex, holder_faults)
{
	holder_ends(test, true);
}

/* Each holder ends with it, one after the other: every task gets it, with the error. */
TEST(mutex, each_holder_ends_with_it)
{
	struct mutex mutex = HEDDLE_MUTEX_INITIALIZER;
	struct waiting waiting[6];
	CHECK_EQUAL(mutex_lock(&mutex), HEDDLE_OK);
	for (unsigned i = 0; i < 6; i++) {
		waiting[i] = (struct waiting){.wait = lock, .object = &mutex, .bound = i % 2, .processor = i};
		CHECK(waiting_start(&waiting[i]));
	}
	CHECK_EQUAL(mutex_unlock(&mutex), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&waiting[0]), HEDDLE_OK);
	for (unsigned i = 1; i < 6; i++)
		CHECK_EQUAL(waiting_end(&waiting[i]), HEDDLE_OWNER_DIED);
	CHECK_EQUAL(mutex_lock(&mutex), HEDDLE_OWNER_DIED);
	CHECK_EQUAL(mutex_unlock(&mutex), HEDDLE_OK);
	CHECK_EQUAL(mutex_destroy(&mutex), HEDDLE_OK);
}

/* ------------------------------------------------------------------------------------- its last user -- */

#define USERS   6
#define OBJECTS 300

struct object {
	struct mutex mutex;
	unsigned users; /* protected by it */
};

struct objects {
	struct object all[OBJECTS];
};

/* The last user of an object overwrites it at once. */
static intptr_t use_each(size_t number, void *argument)
{
	struct objects *objects = argument;
	for (unsigned i = 0; i < OBJECTS; i++) {
		struct object *object = &objects->all[i];
		if (mutex_lock(&object->mutex) != HEDDLE_OK)
			return 0;
		bool last = --object->users == 0;
		if ((number + i) % 5 == 0)
			task_yield();
		if (mutex_unlock(&object->mutex) != HEDDLE_OK)
			return 0;
		if (last)
			memset(object, 0xa5, sizeof(*object));
	}
	return 1;
}

static bool is_overwritten(const void *memory, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (((const unsigned char *)memory)[i] != 0xa5)
			return false;
	return true;
}

TEST(mutex, is_freed_by_its_last_user)
{
	struct objects *objects = heddle_allocate(sizeof(*objects));
	struct crew crew = {.function = use_each, .argument = objects, .count = USERS};
	intptr_t done = 0;
	CHECK(objects);
	for (unsigned round = 0; round < 5; round++) {
		for (unsigned i = 0; i < OBJECTS; i++)
			objects->all[i] = (struct object){.mutex = HEDDLE_MUTEX_INITIALIZER, .users = USERS};
		crew.bound = round % 2;
		CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
		crew_start(&crew);
		CHECK_EQUAL(crew_join(&crew, &done), HEDDLE_OK);
		CHECK_EQUAL(done, USERS);
		CHECK(is_overwritten(objects, sizeof(*objects)));
	}
	heddle_free(objects, sizeof(*objects));
}

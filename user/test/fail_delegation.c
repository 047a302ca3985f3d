/* Delegation locks, with an allocation failing: each section runs once, or was refused. */
#include "heddle/hqd_lock.h"
#include "heddle/mrqd_lock.h"
#include "heddle/qd_lock.h"
#include "sched/task.h"
#include "user/test/fail.h"
#include "user/test/waiting.h"

#define SLOTS   4 /* so few that some tasks wait for room */
#define REPEATS 3

uint32_t fail_limit, fail_nodes;

/* ------------------------------------------------------------------------------------ the three kinds -- */

struct locks {
	struct qd_lock qd;
	struct mrqd_lock mrqd;
	struct hqd_lock hqd;
	struct qd_slot slots[SLOTS * HEDDLE_HQD_NODES_MAXIMUM];
};

struct kind {
	enum heddle_error (*create)(struct locks *locks);
	enum heddle_error (*destroy)(struct locks *locks);
	enum heddle_error (*delegate)(struct locks *locks, qd_section section, size_t size, const void *message);
	enum heddle_error (*delegate_wait)(struct locks *locks, qd_section section, size_t size, void *message);
	enum heddle_error (*delegate_or_lock)(struct locks *locks, size_t size, void **buffer);
	enum heddle_error (*close_buffer)(struct locks *locks, void *buffer, qd_section section);
	enum heddle_error (*delegate_unlock)(struct locks *locks);
	enum heddle_error (*lock_until)(struct locks *locks, uint64_t deadline);
	enum heddle_error (*unlock)(struct locks *locks);
};

#define KIND(name, creation)                                                                           \
	static enum heddle_error name##_create(struct locks *locks)                                        \
	{                                                                                                  \
		return creation;                                                                               \
	}                                                                                                  \
	static enum heddle_error name##_destroy(struct locks *locks)                                       \
	{                                                                                                  \
		return name##_lock_destroy(&locks->name);                                                      \
	}                                                                                                  \
	static enum heddle_error name##_delegated(struct locks *locks, qd_section section, size_t size,    \
	                                          const void *message)                                     \
	{                                                                                                  \
		return name##_delegate(&locks->name, section, size, message);                                  \
	}                                                                                                  \
	static enum heddle_error name##_waited(struct locks *locks, qd_section section, size_t size,       \
	                                       void *message)                                              \
	{                                                                                                  \
		return name##_delegate_wait(&locks->name, section, size, message);                             \
	}                                                                                                  \
	static enum heddle_error name##_or_lock(struct locks *locks, size_t size, void **buffer)           \
	{                                                                                                  \
		return name##_delegate_or_lock(&locks->name, size, buffer);                                    \
	}                                                                                                  \
	static enum heddle_error name##_close(struct locks *locks, void *buffer, qd_section section)       \
	{                                                                                                  \
		return name##_close_buffer(&locks->name, buffer, section);                                     \
	}                                                                                                  \
	static enum heddle_error name##_unlock_delegated(struct locks *locks)                              \
	{                                                                                                  \
		return name##_delegate_unlock(&locks->name);                                                   \
	}                                                                                                  \
	static enum heddle_error name##_until(struct locks *locks, uint64_t deadline)                      \
	{                                                                                                  \
		return name##_lock_until(&locks->name, deadline);                                              \
	}                                                                                                  \
	static enum heddle_error name##_unlocked(struct locks *locks)                                      \
	{                                                                                                  \
		return name##_unlock(&locks->name);                                                            \
	}                                                                                                  \
	static const struct kind name##_kind = {name##_create,           name##_destroy, name##_delegated, \
	                                        name##_waited,           name##_or_lock, name##_close,     \
	                                        name##_unlock_delegated, name##_until,   name##_unlocked};

KIND(qd, qd_lock_create(&locks->qd, locks->slots, SLOTS, fail_limit))
KIND(mrqd, mrqd_lock_create(&locks->mrqd, locks->slots, SLOTS, fail_limit))
KIND(hqd, hqd_lock_create(&locks->hqd, fail_nodes, locks->slots, SLOTS, fail_limit))

/* ------------------------------------------------------------------------------------------ a course -- */

struct course {
	struct attempt *attempt;
	const struct kind *kind;
	struct locks locks;
	unsigned carried_out; /* under the lock */
	atomic_uint accepted;
};

static void add(size_t size, void *message)
{
	struct course *course = *(struct course **)message;
	HOLDS(course->attempt, size == sizeof(course));
	course->carried_out++;
}

static void accept(struct course *course, enum heddle_error error)
{
	if (attempt_expect(course->attempt, error, HEDDLE_OK, true, "a delegation", __FILE__, __LINE__))
		atomic_fetch_add(&course->accepted, 1);
}

/* Whatever nodes the machine has: as if the task had first used a lock on that node. */
static void choose_node(const struct helper *helper)
{
	task_touch(task_current());
	task_current()->locks.delegates_to = helper->number % fail_nodes + 1;
}

static void delegate_some(struct helper *helper)
{
	struct course *course = helper->object;
	choose_node(helper);
	for (unsigned i = 0; i < REPEATS; i++)
		accept(course, course->kind->delegate(&course->locks, add, sizeof(course), &course));
}

static void delegate_and_wait(struct helper *helper)
{
	struct course *course = helper->object;
	choose_node(helper);
	for (unsigned i = 0; i < REPEATS; i++)
		accept(course, course->kind->delegate_wait(&course->locks, add, sizeof(course), &course));
}

static void delegate_or_lock(struct helper *helper)
{
	struct course *course = helper->object;
	choose_node(helper);
	for (unsigned i = 0; i < REPEATS; i++) {
		void *buffer;
		if (!EXPECT(helper->attempt, course->kind->delegate_or_lock(&course->locks, sizeof(course), &buffer),
		            HEDDLE_OK))
			continue;
		if (buffer) {
			*(struct course **)buffer = course;
			MUST(helper->attempt, course->kind->close_buffer(&course->locks, buffer, add));
		} else {
			course->carried_out++;
			MUST(helper->attempt, course->kind->delegate_unlock(&course->locks));
		}
		atomic_fetch_add(&course->accepted, 1);
	}
}

static void pass(struct helper *helper)
{
	struct course *course = helper->object;
	choose_node(helper);
	if (EXPECT(helper->attempt, course->kind->lock_until(&course->locks, after(20000)), HEDDLE_OK))
		MUST(helper->attempt, course->kind->unlock(&course->locks));
}

static void give_up(struct helper *helper)
{
	struct course *course = helper->object;
	choose_node(helper);
	EXPECT(helper->attempt, course->kind->lock_until(&course->locks, after(1)), HEDDLE_TIMED_OUT);
}

static void give_up_cancelled(struct helper *helper)
{
	struct course *course = helper->object;
	choose_node(helper);
	EXPECT(helper->attempt, course->kind->lock_until(&course->locks, HEDDLE_NO_DEADLINE), HEDDLE_CANCELLED);
}

static void (*const ways[])(struct helper *) = {delegate_some, give_up,          delegate_and_wait,
                                                pass,          delegate_or_lock, give_up_cancelled,
                                                delegate_some, delegate_and_wait};

#define WAYS      (sizeof(ways) / sizeof(*ways))
#define CANCELLED 5

/* All come while the lock is held; their sections run when it is given up. */
static void run_held(struct course *course)
{
	struct helper helpers[WAYS];
	if (!EXPECT(course->attempt, course->kind->lock_until(&course->locks, HEDDLE_NO_DEADLINE), HEDDLE_OK))
		return;
	for (size_t way = 0; way < WAYS; way++) {
		helpers[way] = (struct helper){
		    .attempt = course->attempt, .run = ways[way], .object = course, .number = (unsigned)way};
		if (helper_start(&helpers[way]) && way == CANCELLED)
			MUST(course->attempt, task_cancel(helpers[way].task));
	}
	helper_await(&helpers[1]);
	helper_await(&helpers[CANCELLED]);
	MUST(course->attempt, course->kind->unlock(&course->locks));
	for (size_t way = 0; way < WAYS; way++)
		helper_end(&helpers[way]);
}

/* All come while it is free. */
static void run_free(struct course *course)
{
	struct helper helper = {.attempt = course->attempt, .object = course};
	delegate_some(&helper);
	delegate_and_wait(&helper);
	delegate_or_lock(&helper);
	pass(&helper);
}

/* One task delegates, on another node if there is one, while the lock is free. */
static void run_beside(struct course *course)
{
	struct helper helper = {.attempt = course->attempt, .run = delegate_some, .object = course, .number = 1};
	if (!EXPECT(course->attempt, course->kind->lock_until(&course->locks, HEDDLE_NO_DEADLINE), HEDDLE_OK))
		return;
	helper_start(&helper);
	MUST(course->attempt, course->kind->unlock(&course->locks));
	helper_end(&helper);
}

static void run_kind(struct attempt *attempt, const struct kind *kind)
{
	static struct course course;
	course = (struct course){.attempt = attempt, .kind = kind};
	MUST(attempt, kind->create(&course.locks));
	run_free(&course);
	run_beside(&course);
	run_held(&course);
	run_free(&course);
	/* The last accepted section may have been left to another task. */
	HOLDS(attempt, course.carried_out == atomic_load(&course.accepted));
	MUST(attempt, kind->destroy(&course.locks));
}

static void run_qd(struct attempt *attempt)
{
	run_kind(attempt, &qd_kind);
}

static void run_mrqd(struct attempt *attempt)
{
	run_kind(attempt, &mrqd_kind);
}

static void run_hqd(struct attempt *attempt)
{
	run_kind(attempt, &hqd_kind);
}

/* ------------------------------------------------------------------------------------------- readers -- */

static void read_for(struct helper *helper)
{
	struct mrqd_lock *lock = helper->object;
	uint64_t deadline = helper->number ? after(20000) : HEDDLE_NO_DEADLINE;
	if (EXPECT(helper->attempt, mrqd_read_lock_until(lock, deadline), HEDDLE_OK)) {
		task_yield();
		MUST(helper->attempt, mrqd_read_unlock(lock));
	}
}

static void write_for(struct helper *helper)
{
	struct mrqd_lock *lock = helper->object;
	uint64_t deadline = helper->number ? after(20000) : HEDDLE_NO_DEADLINE;
	if (EXPECT(helper->attempt, mrqd_lock_until(lock, deadline), HEDDLE_OK))
		MUST(helper->attempt, mrqd_unlock(lock));
}

static void run_reading(struct attempt *attempt)
{
	static struct mrqd_lock lock;
	static struct qd_slot slots[SLOTS];
	struct helper helpers[4];
	MUST(attempt, mrqd_lock_create(&lock, slots, SLOTS, fail_limit));
	for (unsigned turn = 0; turn < 2; turn++) {
		bool reads = turn == 0;
		bool held = EXPECT(attempt, reads ? mrqd_read_lock(&lock) : mrqd_lock(&lock), HEDDLE_OK);
		for (unsigned i = 0; i < 4; i++) {
			helpers[i] = (struct helper){
			    .attempt = attempt, .run = i % 2 ? read_for : write_for, .object = &lock, .number = i / 2};
			helper_start(&helpers[i]);
		}
		if (held)
			MUST(attempt, reads ? mrqd_read_unlock(&lock) : mrqd_unlock(&lock));
		for (unsigned i = 0; i < 4; i++)
			helper_end(&helpers[i]);
	}
	MUST(attempt, mrqd_lock_destroy(&lock));
}

/* -------------------------------------------------------------------------------------------- nested -- */

struct nest {
	struct attempt *attempt;
	struct qd_lock inner, outer;
	struct qd_slot inner_slots[SLOTS], outer_slots[SLOTS];
	unsigned inner_done, outer_done; /* each under its lock */
	atomic_uint inner_accepted, outer_accepted;
};

static void nested_inner(size_t size, void *message)
{
	struct nest *nest = *(struct nest **)message;
	(void)size;
	nest->inner_done++;
}

static void nested_again(size_t size, void *message)
{
	struct nest *nest = *(struct nest **)message;
	(void)size;
	nest->outer_done++;
}

/* More than fit in the queues. */
static void nested_outer(size_t size, void *message)
{
	struct nest *nest = *(struct nest **)message;
	(void)size;
	nest->outer_done++;
	for (unsigned i = 0; i < SLOTS + 2; i++)
		if (EXPECT(nest->attempt, qd_delegate(&nest->outer, nested_again, sizeof(nest), &nest), HEDDLE_OK))
			atomic_fetch_add(&nest->outer_accepted, 1);
	enum heddle_error error = qd_delegate(&nest->inner, nested_inner, sizeof(nest), &nest);
	/* The inner lock may be held: then a section must not wait for room. */
	if (error == HEDDLE_OK)
		atomic_fetch_add(&nest->inner_accepted, 1);
	else if (error != HEDDLE_UNCOOPERATIVE)
		EXPECT(nest->attempt, error, HEDDLE_OK);
}

static void delegate_nested(struct helper *helper)
{
	struct nest *nest = helper->object;
	for (unsigned i = 0; i < REPEATS; i++) {
		enum heddle_error error = helper->number
		                              ? qd_delegate_wait(&nest->outer, nested_outer, sizeof(nest), &nest)
		                              : qd_delegate(&nest->outer, nested_outer, sizeof(nest), &nest);
		if (attempt_expect(nest->attempt, error, HEDDLE_OK, true, "a delegation", __FILE__, __LINE__))
			atomic_fetch_add(&nest->outer_accepted, 1);
	}
}

static void run_nested(struct attempt *attempt)
{
	static struct nest nest;
	struct helper helpers[4];
	nest = (struct nest){.attempt = attempt};
	MUST(attempt, qd_lock_create(&nest.inner, nest.inner_slots, SLOTS, fail_limit));
	MUST(attempt, qd_lock_create(&nest.outer, nest.outer_slots, SLOTS, fail_limit));
	bool inner = EXPECT(attempt, qd_lock(&nest.inner), HEDDLE_OK);
	bool outer = EXPECT(attempt, qd_lock(&nest.outer), HEDDLE_OK);
	for (unsigned i = 0; i < 4; i++) {
		helpers[i] =
		    (struct helper){.attempt = attempt, .run = delegate_nested, .object = &nest, .number = i % 2};
		helper_start(&helpers[i]);
	}
	if (outer)
		MUST(attempt, qd_unlock(&nest.outer));
	for (unsigned i = 0; i < 4; i++)
		helper_end(&helpers[i]);
	if (inner)
		MUST(attempt, qd_unlock(&nest.inner));
	HOLDS(attempt, nest.outer_done == atomic_load(&nest.outer_accepted));
	HOLDS(attempt, nest.inner_done == atomic_load(&nest.inner_accepted));
	MUST(attempt, qd_lock_destroy(&nest.outer));
	MUST(attempt, qd_lock_destroy(&nest.inner));
}

const struct part fail_delegation[] = {{"qd", run_qd},           {"mrqd", run_mrqd},     {"hqd", run_hqd},
                                       {"reading", run_reading}, {"nested", run_nested}, {0}};

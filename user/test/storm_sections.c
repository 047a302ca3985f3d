/*
 * Turns of the storm: some tasks delegate sections to a lock of their own. Some sections fault, and end the task that
 * runs them. Each delegated section begins once, those of a task in order.
 */
#include <string.h>

#include "heddle/qd_lock.h"
#include "user/test/storm.h"

#define CHILDREN 3
#define SECTIONS 12
#define SLOTS    8

struct helpers {
	struct qd_lock lock;
	struct qd_slot slots[SLOTS];
	uint64_t begun[CHILDREN]; /* under the lock */
	struct helper {
		struct helpers *all;
		struct storm_task self;
		_Atomic uint64_t told; /* sections that have run, or will */
		_Atomic bool calls;    /* one more section may run */
	} helper[CHILDREN];
};

struct message {
	struct helper *helper;
	uint64_t number;
	bool faults;
};

static void section(size_t size, void *argument)
{
	struct message message = *(struct message *)argument;
	uint64_t *begun = &message.helper->all->begun[message.helper->self.number];
	STORM_CHECK(size == sizeof(message) && *begun == message.number);
	(*begun)++;
	if (message.faults)
		storm_fault();
}

#define TOLD (STORM_BIT(HEDDLE_OK) | STORM_BIT(HEDDLE_OWNER_DIED) | STORM_BIT(HEDDLE_NO_MEMORY))

static intptr_t delegate(void *argument)
{
	struct helper *helper = argument;
	struct storm_task *self = &helper->self;
	struct qd_lock *lock = &helper->all->lock;
	for (unsigned i = 0; i < SECTIONS; i++) {
		struct message message = {helper, helper->told, storm_draw(self, 16) == 0};
		enum heddle_error error;
		helper->calls = true;
		if (storm_draw(self, 2))
			STORM_GIVES(error = qd_delegate(lock, section, sizeof(message), &message), TOLD);
		else
			STORM_GIVES(error = qd_delegate_wait(lock, section, sizeof(message), &message), TOLD);
		if (error != HEDDLE_NO_MEMORY)
			helper->told++;
		helper->calls = false;
		storm_dawdle(self);
	}
	return 0;
}

static bool begin(struct storm_task *self, struct helpers *all, unsigned number, struct task **task)
{
	struct task_options options = storm_options(self, "helper");
	struct helper *helper = &all->helper[number];
	helper->all = all;
	helper->self.number = number;
	helper->self.random = (uint64_t)storm_draw(self, UINT32_MAX) << 32 | number;
	return STORM_GIVES(task_create(task, delegate, helper, &options),
	                   STORM_BIT(HEDDLE_OK) | STORM_BIT(HEDDLE_NO_MEMORY));
}

/* The next holder runs the remaining sections, and may fault in them as well. */
static intptr_t look(void *argument)
{
	struct helpers *all = argument;
	enum heddle_error error;
	do
		STORM_GIVES(error = qd_lock(&all->lock),
		            storm_waits(HEDDLE_NO_DEADLINE) | STORM_BIT(HEDDLE_OWNER_DIED));
	while (error == HEDDLE_NO_MEMORY || error == HEDDLE_CANCELLED);
	STORM_OK(qd_unlock(&all->lock));
	return 1;
}

static enum heddle_error join(struct storm_task *self, struct task *task)
{
	enum heddle_error error;
	do
		STORM_GIVES(error = STORM_CALL(self, task_join(task, NULL)),
		            STORM_BIT(HEDDLE_OK) | STORM_BIT(HEDDLE_CANCELLED) | STORM_BIT(HEDDLE_TASK_FAULT));
	while (error == HEDDLE_CANCELLED);
	return error;
}

/* False: no memory for it. */
static bool look_until_it_ends_well(struct storm_task *self, struct helpers *all)
{
	struct task *task;
	do {
		struct task_options options = storm_options(self, "looker");
		if (!STORM_GIVES(task_create(&task, look, all, &options),
		                 STORM_BIT(HEDDLE_OK) | STORM_BIT(HEDDLE_NO_MEMORY)))
			return false;
	} while (join(self, task) != HEDDLE_OK);
	return true;
}

static void turn(struct storm_task *self)
{
	struct task *tasks[CHILDREN];
	struct helpers *all = storm_may_die() ? heddle_allocate(sizeof(*all)) : NULL;
	unsigned made = 0;
	if (!all)
		return;
	memset(all, 0, sizeof(*all));
	STORM_OK(qd_lock_create(&all->lock, all->slots, SLOTS, 3));
	while (made < CHILDREN && begin(self, all, made, &tasks[made]))
		made++;
	for (unsigned i = 0; i < made; i++)
		join(self, tasks[i]);
	while (!look_until_it_ends_well(self, all))
		task_yield();
	for (unsigned i = 0; i < made; i++)
		STORM_CHECK(all->begun[i] == all->helper[i].told ||
		            (all->helper[i].calls && all->begun[i] == all->helper[i].told + 1));
	STORM_OK(qd_lock_destroy(&all->lock));
	heddle_free(all, sizeof(*all));
}

const struct storm_kind storm_sections = {.name = "sections", .weight = 1, .turn = turn};

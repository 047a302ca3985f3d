/*
 * What the parts of the program `fail` share. A part uses some of Heddle while an allocation fails
 * (kernel/failure.h), and checks what each call returns. It can always run to its end: it gives back what it has
 * taken, and waits for nothing that will not come.
 */
#ifndef USER_TEST_FAIL_H
#define USER_TEST_FAIL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "heddle/task.h"

/* One run of a part, and the first error in it. */
struct attempt {
	atomic_bool is_wrong;
	const char *file, *what; /* what: the call, or the condition that is false */
	int line;
	enum heddle_error error;
};

/* Whether the call has returned the expected error. If it returns that there is no memory, an allocation must have
 * failed. Anything else is an error. */
#define EXPECT(attempt, call, expected) \
	attempt_expect(attempt, call, expected, true, #call, __FILE__, __LINE__)

/* The same for a call that needs no memory. */
#define MUST(attempt, call) attempt_expect(attempt, call, HEDDLE_OK, false, #call, __FILE__, __LINE__)

/* A condition holds, whatever has failed. */
#define HOLDS(attempt, condition) attempt_holds(attempt, condition, #condition, __FILE__, __LINE__)

bool attempt_expect(struct attempt *attempt, enum heddle_error error, enum heddle_error expected,
                    bool no_memory, const char *what, const char *file, int line);
bool attempt_holds(struct attempt *attempt, bool condition, const char *what, const char *file, int line);

/* Whether an allocation has failed by now. */
bool attempt_has_failed(void);

/* A task that does one thing for a part. */
struct helper {
	struct attempt *attempt;
	void (*run)(struct helper *helper);
	void *object;
	unsigned number;
	/* Private. */
	struct task *task; /* NULL: it could not be made */
	atomic_bool is_done;
};

/* Make it; false: no memory. */
bool helper_create(struct helper *helper);

/* The same, and return when it waits or has finished. Returns whether it waits. */
bool helper_start(struct helper *helper);

/* Return when it has finished, or has had time to. */
void helper_await(struct helper *helper);

/* Wait for its end. */
void helper_end(struct helper *helper);

struct part {
	const char *name; /* NULL ends a list */
	void (*run)(struct attempt *attempt);
};

/* For delegation locks: the sections of others that a helper runs at most (qd_lock.h); nodes (hqd_lock.h). */
extern uint32_t fail_limit, fail_nodes;

extern const struct part fail_tasks[], fail_growth[], fail_locks[], fail_ends[], fail_messages[],
    fail_delegation[];

#endif

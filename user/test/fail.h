/*
 * What the parts of the program `fail` share. A part uses some of what Heddle has while an allocation fails
 * (kernel/failure.h), and looks at what each call says of that. It may always go on to its end: what it has taken it
 * gives back, and nobody waits for what does not come.
 */
#ifndef USER_TEST_FAIL_H
#define USER_TEST_FAIL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "heddle/task.h"

/* One run of a part, and the first that went wrong in it. */
struct attempt {
	atomic_bool is_wrong;
	const char *file, *what; /* what: the call, or what does not hold */
	int line;
	enum heddle_error error;
};

/* Whether the call has returned what was expected; else there was no memory for it, because an allocation has
 * failed. Anything else is wrong. */
#define EXPECT(attempt, call, expected) \
	attempt_expect(attempt, call, expected, true, #call, __FILE__, __LINE__)

/* The same of a call that needs no memory. */
#define MUST(attempt, call) attempt_expect(attempt, call, HEDDLE_OK, false, #call, __FILE__, __LINE__)

/* Something holds, whatever has failed. */
#define HOLDS(attempt, condition) attempt_holds(attempt, condition, #condition, __FILE__, __LINE__)

bool attempt_expect(struct attempt *attempt, enum heddle_error error, enum heddle_error expected,
                    bool no_memory, const char *what, const char *file, int line);
bool attempt_holds(struct attempt *attempt, bool condition, const char *what, const char *file, int line);

/* Whether an allocation has failed by now. */
bool attempt_has_failed(void);

/* A task that does one thing of a part. */
struct helper {
	struct attempt *attempt;
	void (*run)(struct helper *helper);
	void *object;
	unsigned number;
	/* Its own. */
	struct task *task; /* NULL: it could not be made */
	atomic_bool is_done;
};

/* Make it; false: no memory. */
bool helper_create(struct helper *helper);

/* The same, and return when it waits or is done. Returns whether it waits. */
bool helper_start(struct helper *helper);

/* Return when it is done, or has had the time to. */
void helper_await(struct helper *helper);

/* Wait for its end. */
void helper_end(struct helper *helper);

struct part {
	const char *name; /* NULL ends a list */
	void (*run)(struct attempt *attempt);
};

/* Of locks with delegation: sections of others that a helper carries out at most (qd_lock.h); nodes (hqd_lock.h). */
extern uint32_t fail_limit, fail_nodes;

extern const struct part fail_tasks[], fail_growth[], fail_locks[], fail_ends[], fail_messages[],
    fail_delegation[];

#endif

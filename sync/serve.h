/*
 * Objects that one processor at a time serves: the slow paths of all but the mutex. Whoever comes with a
 * request and finds nobody serving serves, its own request first; else it leaves its request in the object's
 * word, and the one that serves carries that out before it leaves. Nobody spins, and what a step does to an
 * object is plain sequential code.
 *
 *     word: FREE --enter--> BUSY --leave, no requests--> FREE
 *           BUSY, requests --enter_or_post--> requests and one more, newest on top
 *           requests --leave: all of them are taken, and carried out, oldest first--> BUSY
 *
 * Tasks that a step lets go on are collected, and run after the object was left: so it may be freed by
 * whoever of them is its last user. A task whose request waits has left its stack before another can carry it
 * out, or the object is left only after that.
 *
 * | operation | progress                                  | takes effect                |
 * |-----------|-------------------------------------------|-----------------------------|
 * | serve     | lock-free; the server may get requests to | when its step is run, by    |
 * |           | carry out as long as others come          | whoever serves then         |
 */
#ifndef SYNC_SERVE_H
#define SYNC_SERVE_H

#include "sync/exchange.h"
#include "sched/wait.h"

/* On the stack of the task that waits for it, which stays until it is carried out or withdrawn; or, of a task
 * that cannot wait, a copy. */
struct request {
	struct pool_object pooled;
	struct request *next, *previous; /* in a queue of the object; next: in its word */
	struct request_queue *queue;     /* that it waits in; NULL: none */
	struct task *task;
	uint64_t ticket;
	uint32_t operation; /* REQUEST_WITHDRAW, or one of the object's own */
	uint32_t count;
	enum heddle_error result;
	/* In one byte: read together after one was written, bytes would make the processor wait for the store. */
	bool immediate : 1; /* it does not wait: HEDDLE_BUSY instead */
	bool once : 1;      /* its deadline has passed: where it would have to wait, HEDDLE_TIMED_OUT */
	bool detached : 1;  /* nobody waits for it: it is a copy */
	bool lent : 1;      /* there is memory for the copy, at `copy`; else it is from the pool */
	bool own : 1;       /* whose it is serves, and does not wait yet */
	bool done : 1;
	bool waited : 1;        /* its task has */
	bool abandoned : 1;     /* the wait for it has ended early, and it is to be withdrawn */
	struct request *target; /* REQUEST_WITHDRAW: what is withdrawn */
	struct choice *choice;  /* select.c */
	union {
		void *message;        /* channel.c */
		struct mutex *mutex;  /* condition.c */
		struct request *copy; /* future.c */
	};
};

#define REQUEST_WITHDRAW 0

/* Tasks whose waits were ended by a step, to be run when the object was left. */
struct granted {
	struct task *first, *last;
};

/* Carry out a request: grant it, or put it on a queue. For REQUEST_WITHDRAW, of a request that was queued or
 * not and is not any more: look what can go on without it, and grant the withdrawal. */
typedef void (*serve_step)(struct served *object, struct request *request, struct granted *granted);

/* What serve() needs to know of a kind of object. */
struct serve_kind {
	const char *name;
	serve_step step;
};

void serve_start(void);

enum { SERVE_FREE, SERVE_BUSY }; /* of a word; else a request */

/* Begin to serve, where nobody does; false: somebody does. For an operation that may be done at once, without a
 * request; then serve_try_leave(), or serve_leave() or serve_await(). */
static inline bool serve_enter(struct served *object)
{
	uintptr_t expected = SERVE_FREE;
	/* FREE -> BUSY; acquire: what was done to the object, pairs with serve_try_leave. */
	return atomic_compare_exchange_strong_explicit(&object->word, &expected, SERVE_BUSY, memory_order_acquire,
	                                               memory_order_relaxed);
}

/* End it; false: a request was left meanwhile. */
static inline bool serve_try_leave(struct served *object)
{
	uintptr_t expected = SERVE_BUSY;
	/* BUSY -> FREE; release: what was done to the object; seq_cst: and before a look at what was asked of a task that
	 * waits there now (wait_look). */
	return atomic_compare_exchange_strong_explicit(&object->word, &expected, SERVE_FREE, memory_order_seq_cst,
	                                               memory_order_relaxed);
}

/* Carry out what was left meanwhile, and end it. */
void serve_leave_with_others(struct served *object, const struct serve_kind *kind);

/* Carry out the request of the calling task, by whoever serves, and wait until it is granted, or the deadline
 * passes: with its result. `gives`: it gives something up, so one of those that it lets go on is switched to.
 * In an uncooperative section one that gives is left behind where another serves, and its result is
 * HEDDLE_OK; or HEDDLE_NO_MEMORY, and nothing was done. */
enum heddle_error serve(struct served *object, const struct serve_kind *kind, struct request *request,
                        uint64_t deadline, bool gives);

/*
 * A caller that serves, by serve_enter(), may do to the object what a step would, without a request of its own:
 */

/* Leave the object. What the caller has let go on is made ready, or waits until the caller leaves its processor. */
void serve_leave(struct served *object, const struct serve_kind *kind, struct granted *granted);

/* The same of a caller that has given something up: it switches to the first of them. */
void serve_leave_and_give(struct served *object, const struct serve_kind *kind, struct granted *granted);

/* Leave the object, with a request of the calling task in one of its queues, and wait until it is granted, or the
 * deadline passes: with its result. */
enum heddle_error serve_await(struct served *object, const struct serve_kind *kind, struct request *request,
                              uint64_t deadline);

/* By a step: */
void request_queue_put(struct request_queue *queue, struct request *request);
void request_queue_remove(struct request *request);

/* The request is done, with this result: take it off its queue, and let its task go on. False: its wait has
 * ended by a deadline or otherwise: it is passed over, and nothing was done for it. So what is done for it
 * comes after this. */
bool request_grant(struct request *request, enum heddle_error result, struct granted *granted);

/* Add a task whose wait the step has ended. */
void granted_add(struct granted *granted, struct task *task);

/* Whether nobody serves or waits: the object may be destroyed. */
static inline bool serve_is_free(struct served *object, const struct request_queue *queue)
{
	/* acquire: what was done to it. */
	return atomic_load_explicit(&object->word, memory_order_acquire) == 0 && !queue->first;
}

/* Pieces of serve(), for what waits in another way (condition.c, select.c), in a finalizer: leave the request
 * to whoever serves, or carry it out and serve. The tasks that go on are added to `granted`. */
void serve_in_finalizer(struct served *object, serve_step step, struct request *request,
                        struct granted *granted);

/* Make all of them ready. */
void granted_publish(struct granted *granted);

/* The same by the current task, which goes on: a single one may wait until it leaves its processor (deferral.h). */
void granted_defer(struct granted *granted);

/* Make all of them run, one of them here and at once. */
void granted_exchange(struct granted *granted);

#endif

/*
 * Objects that one processor at a time serves: the slow paths of all locks but the mutex. A task that comes with a
 * request and finds no server becomes the server, with its own request first. Otherwise it leaves its request in the
 * object's word, and the server carries that out before it leaves. So no task spins, and a step is plain sequential
 * code.
 *
 *     word: FREE --enter--> BUSY --leave, no requests--> FREE
 *           BUSY, requests --enter_or_post--> requests and one more, newest on top
 *           requests --leave: all of them are taken, and carried out, oldest first--> BUSY
 *
 * Tasks that a step lets go on are collected, and at least one of them runs only after the object was left: so the
 * last user among them may free it. A task whose request waits leaves its stack before another task can carry the
 * request out. If the waiting task itself serves, it leaves its stack before it leaves the object.
 *
 * | operation | progress                                  | takes effect                |
 * |-----------|-------------------------------------------|-----------------------------|
 * | serve     | lock-free; the server may get requests to | when the server runs its    |
 * |           | carry out as long as others come          | step                        |
 */
#ifndef SYNC_SERVE_H
#define SYNC_SERVE_H

#include "sync/exchange.h"
#include "sched/wait.h"

/* It lies on the stack of the task that waits for it, and stays until it is carried out or withdrawn. For a task that
 * cannot wait it is a copy. */
struct request {
	struct pool_object pooled;
	struct request *next, *previous; /* in a queue of the object; `next` also in its word */
	struct request_queue *queue;     /* the queue that it waits in; NULL: none */
	struct task *task;
	uint64_t ticket;
	uint32_t operation; /* REQUEST_WITHDRAW, or one of the object's own */
	uint32_t count;
	enum heddle_error result;
	/* In one byte: bytes that are read together after one was written would make the processor wait for the store. */
	bool immediate : 1; /* it does not wait: it gets HEDDLE_BUSY instead */
	bool once : 1;      /* its deadline has passed: if it would have to wait, it gets HEDDLE_TIMED_OUT */
	bool detached : 1;  /* no task waits for it: it is a copy */
	bool lent : 1;      /* there is memory for the copy, at `copy`; else it is from the pool */
	bool own : 1;       /* its task serves, and does not wait yet */
	bool done : 1;
	bool waited : 1;        /* its task has waited */
	bool abandoned : 1;     /* the wait for it has ended early, and it must be withdrawn */
	struct request *target; /* REQUEST_WITHDRAW: what is withdrawn */
	struct choice *choice;  /* select.c */
	union {
		void *message;        /* channel.c */
		struct mutex *mutex;  /* condition.c */
		struct request *copy; /* future.c */
	};
};

#define REQUEST_WITHDRAW 0

/* Tasks whose waits a step has ended, to be run when the object was left; linked by ready_next, which lies beside what
 * the scheduler touches next. */
struct granted {
	struct task *first, *last;
};

/* Carry out a request: grant it, or put it on a queue. For REQUEST_WITHDRAW the target is in no queue any more, if it
 * ever was: let those go on that can without it, and grant the withdrawal. */
typedef void (*serve_step)(struct served *object, struct request *request, struct granted *granted);

/* What serve() needs to know of a kind of object. */
struct serve_kind {
	const char *name;
	serve_step step;
};

void serve_start(void);

enum { SERVE_FREE, SERVE_BUSY }; /* values of a word; any other is a request */

/* Begin to serve if no task does; false: one does. For an operation that may be done at once, without a request.
 * Then call serve_try_leave(), serve_leave() or serve_await(). */
static inline bool serve_enter(struct served *object)
{
	uintptr_t expected = SERVE_FREE;
	/* FREE -> BUSY; acquire: what was done to the object, pairs with serve_try_leave. */
	return word_compare_exchange(&object->word, &expected, SERVE_BUSY, memory_order_acquire,
	                             memory_order_relaxed);
}

/* Stop serving; false: a request was left meanwhile. */
static inline bool serve_try_leave(struct served *object)
{
	uintptr_t expected = SERVE_BUSY;
	/* BUSY -> FREE; release: what was done to the object; seq_cst: and before a look for requests to a task that
	 * waits there now (wait_look). */
	return word_compare_exchange(&object->word, &expected, SERVE_FREE, memory_order_seq_cst,
	                             memory_order_relaxed);
}

/* Carry out the requests that were left meanwhile, and stop serving. */
void serve_leave_with_others(struct served *object, const struct serve_kind *kind);

/* Have the request of the calling task carried out, and wait until it is granted, or the deadline passes. Returns its
 * result. `gives`: the task gives something up, so this switches to one of the tasks that it lets go on. In an
 * uncooperative section such a request is left behind if another one serves, and the result is HEDDLE_OK; or
 * HEDDLE_NO_MEMORY, and nothing was done. */
enum heddle_error serve(struct served *object, const struct serve_kind *kind, struct request *request,
                        uint64_t deadline, bool gives);

/* The same for a request that gives nothing up, and whose wait nothing but its grant ends. It is queued like any other,
 * and takes the caller off its processor in any case. HEDDLE_UNCOOPERATIVE. */
enum heddle_error serve_kept(struct served *object, const struct serve_kind *kind, struct request *request);

/*
 * A caller that serves, by serve_enter(), may do what a step may, without a request of its own:
 */

/* Leave the object. The tasks that the caller has let go on are made ready, or wait until it leaves its processor. */
void serve_leave(struct served *object, const struct serve_kind *kind, struct granted *granted);

/* The same for a caller that has given something up: it switches to the first of them. */
void serve_leave_and_give(struct served *object, const struct serve_kind *kind, struct granted *granted);

/* Leave the object, with a request of the calling task in one of its queues, and wait until it is granted, or the
 * deadline passes. Returns its result. */
enum heddle_error serve_await(struct served *object, const struct serve_kind *kind, struct request *request,
                              uint64_t deadline);

/* By a step: */
void request_queue_put(struct request_queue *queue, struct request *request);
void request_queue_remove(struct request *request);

/* The request is done, with this result: take it off its queue, and let its task go on. False: its wait has ended
 * already, by a deadline or otherwise; then it is passed over, and nothing may be done for it. So call this before
 * doing what the request asks for. */
bool request_grant(struct request *request, enum heddle_error result, struct granted *granted);

/* The same for all that wait in a queue. Each runs while the step goes on with the next, but the first of them
 * runs when the object was left: before that no other can know that all of them have gone on, and free the object. The
 * task of another request cannot stand in for it: where a single task waits, that may free it as soon as it runs. */
void request_grant_all(struct request_queue *queue, enum heddle_error result, struct granted *granted);

/* Add a task whose wait the step has ended. */
void granted_add(struct granted *granted, struct task *task);

/* Whether no task serves. If the caller has seen what a step did, the server of that step is done with the object. */
static inline bool serve_is_left(struct served *object)
{
	/* acquire: after what the caller has seen; pairs with serve_try_leave. */
	return atomic_load_explicit(&object->word, memory_order_acquire) == SERVE_FREE;
}

/* Whether no task serves or waits: then the object may be destroyed. */
static inline bool serve_is_free(struct served *object, const struct request_queue *queue)
{
	return serve_is_left(object) && !queue->first;
}

/* Pieces of serve() for waits of another form (condition.c, select.c), in a finalizer: leave the request to the
 * server, or serve and carry it out. The tasks that go on are added to `granted`. */
void serve_in_finalizer(struct served *object, serve_step step, struct request *request,
                        struct granted *granted);

/* Make all of them ready. */
void granted_publish(struct granted *granted);

/* The same by the current task, which goes on: a single one may wait until that leaves its processor (deferral.h). */
void granted_defer(struct granted *granted);

/* Make all of them run, one of them here and at once. */
void granted_exchange(struct granted *granted);

#endif

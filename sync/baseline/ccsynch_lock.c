#include "sync/baseline/ccsynch_lock.h"

enum { COMBINE = 1, DONE }; /* answers */

static void node_reset(struct ccsynch_node *node, uintptr_t answer)
{
	atomic_store_explicit(&node->next, NULL, memory_order_relaxed);
	atomic_store_explicit(&node->answer.word, answer, memory_order_relaxed);
}

void ccsynch_lock_create(struct ccsynch_lock *lock, struct ccsynch_node *node)
{
	node_reset(node, COMBINE);
	atomic_store_explicit(&lock->newest, node, memory_order_relaxed);
}

/* Run the sections from this node on, and let the next one do so behind them. */
static void combine(struct ccsynch_node *own)
{
	struct ccsynch_node *node = own, *next;
	uncooperative_begin();
	for (unsigned helped = 0; helped < CCSYNCH_HELP; helped++) {
		/* acquire: the section, pairs with the store in ccsynch_lock_run. */
		next = atomic_load_explicit(&node->next, memory_order_acquire);
		if (!next)
			break;
		node->section(node->argument);
		/* After this the node belongs to its user again. */
		if (node != own)
			answer_give(&node->answer, DONE);
		node = next;
	}
	answer_give(&node->answer, COMBINE);
	uncooperative_end();
}

STACK_ENTRY(ccsynch_lock_run)
enum heddle_error ccsynch_lock_run(struct ccsynch_lock *lock, struct ccsynch_node **mine,
                                   void (*section)(void *argument), void *argument)
{
	struct ccsynch_node *last = *mine;
	quantum_check_cooperative("ccsynch_lock_run()");
	node_reset(last, UNANSWERED);
	/* release: the node is reset; acquire: so is the one that was the last. */
	struct ccsynch_node *own = atomic_exchange_explicit(&lock->newest, last, memory_order_acq_rel);
	own->section = section;
	own->argument = argument;
	/* release: the section, pairs with the load in combine. */
	atomic_store_explicit(&own->next, last, memory_order_release);
	*mine = own;
	if (answer_await(&own->answer, "cc-synch lock") == COMBINE)
		combine(own);
	return HEDDLE_OK;
}

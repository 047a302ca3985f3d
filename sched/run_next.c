#include "sched/run_next.h"

#include "sched/plain.h"
#include "sched/quantum.h"
#include "sched/ready.h"
#include "sched/wake.h"

/* Whether the processor is about to look for work, in its slot first. If it runs another task before this one, one that
 * is higher or bound to it, it tells others then (run_next_look()). */
static bool is_about_to_look(const struct processor *home)
{
	const struct scheduler *scheduler = home->scheduler;
	return home == processor_current() && scheduler->current == scheduler->idle_task;
}

/* If any processor may take the task, wake one that has nothing to do. */
static void tell_others(uintptr_t word)
{
	if (run_next_is_free(word))
		wake_unless_arriving(wake_enough());
}

/* The home runs it next; but it runs another task now, and it is not known for how long. */
static void find_processor(struct processor *home, uintptr_t word)
{
	if (is_about_to_look(home) || wake_home(home))
		return;
	quantum_ask(home);
	tell_others(word);
}

/* Put it into the slot; or make it ready in another way, and return 0. */
__attribute__((always_inline)) static inline uintptr_t slot_fill(struct task *task, struct processor *home)
{
	uintptr_t expected = 0, word = slot_word(task);
	bool elsewhere =
	    task->schedule.bound != HEDDLE_TASK_ANY_PROCESSOR && (unsigned)task->schedule.bound != home->index;
	/* 0 -> task; release: the task has left its stack; seq_cst: before the look for idle processors; pairs with
	 * run_next_word. */
	if (elsewhere || !atomic_compare_exchange_strong_explicit(&home->scheduler->run_next, &expected, word,
	                                                          memory_order_seq_cst, memory_order_relaxed)) {
		ready_publish(task);
		return 0;
	}
	plain_forbid(home->scheduler);
	return word;
}

void run_next_publish(struct task *task, unsigned index)
{
	struct processor *home = &processors[index];
	uintptr_t word = slot_fill(task, home);
	if (word)
		find_processor(home, word);
}

void run_next_after_one(struct task *task)
{
	struct processor *home = processor_current();
	uintptr_t word = slot_fill(task, home);
	home->scheduler->ran_next = true;
	tell_others(word);
}

void run_next_look(struct scheduler *scheduler)
{
	tell_others(run_next_word(scheduler));
}

struct task *run_next_take(struct scheduler *scheduler, unsigned lowest)
{
	uintptr_t word = atomic_load_explicit(&scheduler->run_next, memory_order_relaxed);
	do {
		if (word == 0 || slot_level(word) < lowest)
			return NULL;
		/* task -> 0; acquire: from run_next_publish. */
	} while (!atomic_compare_exchange_weak_explicit(&scheduler->run_next, &word, 0, memory_order_acquire,
	                                                memory_order_relaxed));
	return slot_task(word);
}

struct task *run_next_steal(struct scheduler *victim, uintptr_t seen)
{
	/* task -> 0, as above. If it is the same task, put there once more meanwhile, that is as good. */
	return atomic_compare_exchange_strong_explicit(&victim->run_next, &seen, 0, memory_order_acquire,
	                                               memory_order_relaxed)
	           ? slot_task(seen)
	           : NULL;
}

/* The value of sched=: a policy of the ready queues, or the name of one of one's own (registered.h). */
#ifndef KERNEL_POLICY_WORD_H
#define KERNEL_POLICY_WORD_H

#include <stdbool.h>

/* ADDED: a ready queue of one's own (sched/ready_added.h). */
enum scheduler_policy { SCHEDULER_GLOBAL, SCHEDULER_LOCAL, SCHEDULER_ADDED };

struct policy_word {
	enum scheduler_policy policy;
	unsigned added; /* of SCHEDULER_ADDED: its place in heddle_ready_queues() */
};

/* False: it is none. */
bool policy_word_parse(const char *value, struct policy_word *result);

/* The sentence for that. `word` is the value with what stands before it. */
void policy_word_refuse(const char *word, const char *value, char *error, unsigned error_size);

#endif

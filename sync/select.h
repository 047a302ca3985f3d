/*
 * A task's choice among requests at several channels, of which one is carried out.
 *
 *     OPEN --the task has left its stack--> its ticket --a server: request_grant--> TAKEN
 *     OPEN --a server: request_grant--> TAKEN
 *     OPEN, its ticket --the task gives up--> TAKEN
 */
#ifndef SYNC_SELECT_H
#define SYNC_SELECT_H

#include "sync/serve.h"

struct choice {
	_Atomic uint64_t state;
	struct task *task;
	size_t chosen; /* the `count` of the chosen request */
};

/* By request_grant(): choose this request; false: the choice was made. */
bool choice_take(struct request *request, struct granted *granted);

#endif

/*
 * The end of a delegation lock: a task that finds, under the lock, that all others have made their last call, frees it
 * when its own has returned (heddle/lock.h). A case file includes this after `lock`, which is freed, and first defines
 * how an operation on it is called, as for delegating.h.
 */
#ifndef MODEL_LEAVING_H
#define MODEL_LEAVING_H

#include "script.h"

#define LEAVE(call) script_expect(#call, call, HEDDLE_OK, HEDDLE_OK)

static unsigned left; /* tasks that make their last call, or have made it; plain: protected by the lock */

static bool is_last(void)
{
	return ++left == 2;
}

static void free_if(bool last)
{
	if (!last)
		return;
	explore_drain(); /* the next owner of the memory sees these stores before */
	explore_free(&lock, sizeof lock);
}

static void section_leave(size_t size, void *message)
{
	(void)size, (void)message;
	left++;
}

static intptr_t leave_by_unlock(void *unused)
{
	(void)unused;
	LEAVE(LOCK(lock));
	bool last = is_last();
	LEAVE(LOCK(unlock));
	free_if(last);
	return 0;
}

static intptr_t leave_by_delegate(void *unused)
{
	(void)unused;
	LEAVE(LOCK(delegate, section_leave, 0, NULL));
	return 0;
}

static intptr_t leave_by_delegate_wait(void *unused)
{
	(void)unused;
	LEAVE(LOCK(delegate_wait, section_leave, 0, NULL));
	return 0;
}

static intptr_t leave_by_buffer(void *unused)
{
	void *buffer;
	(void)unused;
	LEAVE(LOCK(delegate_or_lock, 0, &buffer));
	if (buffer) {
		explore_pause();
		LEAVE(LOCK(close_buffer, buffer, section_leave));
		return 0;
	}
	bool last = is_last();
	LEAVE(LOCK(delegate_unlock));
	free_if(last);
	return 0;
}

#endif

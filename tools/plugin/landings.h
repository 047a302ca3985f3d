/*
 * Where an exception lands: a landing pad of the function that handles it, or that cleans up and passes it on. The
 * functions that it has left did not return: they may have run on newer pieces of a growing stack, in foreign code,
 * or in calls back from there. And the C++ library keeps the exceptions that are being handled for each thread, where
 * it ought to keep them for each task. So each landing pad begins with a call of heddle_stack_landed()
 * (sched/growth.h).
 */
#ifndef PLUGIN_LANDINGS_H
#define PLUGIN_LANDINGS_H

#include "gcc.h"

/* Over GIMPLE, when unneeded landing pads are gone. Returns whether there are any. */
bool landings_settle(function *compiled);

/* Whether an existing call is one of these. It hands the counter over itself, and has a check (calls.h). */
bool is_landing(tree callee);

#define LANDING_CHARGE \
	50 /* of that check: instructions from where an exception lands to the next check, as a rule */
#define LANDING_TO_CHECK 6 /* its own instructions before the check, */
#define LANDING_LEFT     4 /* and with the check or behind it */

#endif

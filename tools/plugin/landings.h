/*
 * Where an exception comes to: a landing pad of the function that handles it, or that cleans up and lets it go on. What
 * it has left on the way did not return: newer pieces of a stack that grows, foreign code, calls back from there. And
 * the C++ library keeps for a thread which exceptions it is handling, where it ought to keep them for a task. So each
 * landing pad begins with a call of heddle_stack_landed() (sched/growth.h).
 */
#ifndef PLUGIN_LANDINGS_H
#define PLUGIN_LANDINGS_H

#include "gcc.h"

/* Over GIMPLE, when landing pads that nothing needs are gone. Returns whether there are any. */
bool landings_settle(function *compiled);

/* Whether a landing pad calls this. */
bool is_landing(tree callee);

#endif

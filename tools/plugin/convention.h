/*
 * What functions that are compiled one by one may rely on, so that the bound holds through their calls and returns:
 *   - a function returns, or meets a check, its own or a callee's, before it is `to_check` instructions old;
 *   - where it returns after a check, at most `from_check` instructions have passed since;
 *   - so it is called only where `to_check` more instructions are within the bound.
 *
 * How many these are depends on who may call it:
 *   - functions that are only called directly, in their own unit: more than of others, so that they can call others
 *     without a check. Where the function was compiled before, the callers know the true lengths anyway;
 *   - all others, and those of which nothing is known;
 *   - prompt ones (library.h): few, so that callers need fewer checks. Without the plugin they are foreign.
 */
#ifndef PLUGIN_CONVENTION_H
#define PLUGIN_CONVENTION_H

#include "gcc.h"

struct convention {
	int to_check, from_check; /* instructions */
};

/* NULL_TREE: a function that is called by its address. */
convention convention_of(tree function);

#endif

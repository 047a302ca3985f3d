/*
 * Loops made cheaper before checks are placed: a pass over GIMPLE, in front of the choice of induction
 * variables.
 */
#ifndef PLUGIN_STRIPS_H
#define PLUGIN_STRIPS_H

/* Marks loops that end after few turns, which need no check. Cuts other counted loops without calls into
 * strips of so many turns that a check before each strip is enough:
 *
 *     do body while (count-- > 0)   becomes   do { strip = min(left, most); left -= strip;
 *                                                  do body while (strip-- > 0) } while (left-- > 0)
 */
struct opt_pass *strips_pass_create();

#endif

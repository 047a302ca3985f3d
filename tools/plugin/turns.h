/*
 * Loops made cheaper before checks are placed: a pass over GIMPLE, behind the vectorizer.
 *
 * Loops that end after few turns are marked, and need no check. Other short ones are unrolled by the compiler, so
 * that one check stands for several turns. (Cutting counted loops into strips with a check before each, which suits a
 * counter in memory, was measured too: with the counter in a register, the mispredicted end of a strip costs more
 * than the checks.)
 */
#ifndef PLUGIN_TURNS_H
#define PLUGIN_TURNS_H

struct opt_pass *turns_pass_create();

#endif

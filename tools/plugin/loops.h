/*
 * Checks that break every cycle of a function, except loops with a bounded number of turns.
 */
#ifndef PLUGIN_LOOPS_H
#define PLUGIN_LOOPS_H

#include "flow.h"

/* Where the check of a loop stands. As early in the turn as it may, it also serves the calls and returns that follow.
 * Where it runs least, turns that leave the loop pass none. At the ends of turns, where these jump, it is part of the
 * jumps; this is done where it costs less. */
enum class turn_place { first, rarest, ends };

/* Innermost loops first: a loop that passes an inner loop's check on each turn needs none. Then the cycles that are
 * not natural loops. Returns whether another place would make a difference. Needs dominators. */
bool cycles_break(flow &flow, turn_place place);

/* The place in a block for a check before the instruction `latest` or an earlier one, where the flags are
 * free; -1: there is none. */
int place_latest(const block &where, int latest);

/* The same at a block's end, for a check that serves those that follow. */
int place_at_end(const block &where);

/* The same, the first one at or after `earliest`. */
int place_earliest(const block &where, int earliest);

/* The same, but the flags may be live; they are preserved. */
int place_anywhere(const block &where, int earliest);

#endif

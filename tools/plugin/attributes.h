/*
 * The attributes behind HEDDLE_UNCOOPERATIVE_FUNCTION, HEDDLE_MAY_SWITCH, HEDDLE_MAY_WAKE and HEDDLE_DEEP
 * (heddle/attributes.h).
 */
#ifndef PLUGIN_ATTRIBUTES_H
#define PLUGIN_ATTRIBUTES_H

#include "gcc.h"

void attributes_register();

/* Whether a function gets no checks: it says so, or cannot have any (naked, interrupt handlers). */
bool is_uncooperative(tree declaration);
/* What the dynamic linker calls to choose a function. Nothing is set up yet then, so such a function stays as it
 * is. */
bool is_resolver(tree declaration);
/* Constructors and destructors of a file: the C library calls them. */
bool is_called_at_start(tree declaration);
bool may_switch(tree declaration);
bool is_deep(tree declaration);

/* Whether the function may want to see or change the counter. */
bool hands_over_counter(tree declaration);

/* Make a function one that does. */
void may_wake_set(tree declaration);

/* The name of the entry for lean calls (lean_calls.h), or null. */
const char *lean_entry(tree declaration);

/* Make an uncooperative function begin and end its region, if it calls anything. Called for each function after it
 * was parsed. */
void uncooperative_wrap(void *declaration, void *unused);

#endif

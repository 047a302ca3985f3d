/*
 * The critical sections of a function, for the advice (delegable.h).
 *
 * A section begins behind a call that takes a lock, and goes on along all edges but those of exceptions until calls
 * that give the same lock up. Locks are known by their names:
 *
 *     take: lock, Lock, ..._lock, ...Lock         give up: the same with unlock, Unlock in its place
 *     a constructor of a class ...Lock, ..._lock, ...guard    the destructor of the same object
 *
 * Not if the name holds try, read or shared: readers share a lock, and a section that only reads gains nothing.
 */
#ifndef PLUGIN_DELEGABLE_SECTIONS_H
#define PLUGIN_DELEGABLE_SECTIONS_H

#include <unordered_set>
#include <vector>

#include "gcc.h"

struct critical_section {
	gimple *lock;
	std::vector<gimple *> unlocks;
	std::vector<gimple *> statements;    /* and PHIs, in the order in which they were found */
	std::unordered_set<gimple *> inside; /* the same, and the unlocks */
	/* What makes it no section that a function could be made of. */
	gimple
	    *leaves; /* here, or behind this, the function ends with the lock held; a lock that is taken again */
	bool has_no_end; /* no path comes to an unlock */
	bool is_entered; /* some of it can be reached without the lock */
};

/* All sections of a function, in the order of its blocks. */
std::vector<critical_section> sections_find(function *compiled);

/* Whether a function takes a lock, of whatever kind. */
bool takes_lock(tree callee);

/* What the lock is: the first argument. */
tree section_lock(const critical_section &section);

/* What leads to what the lock protects: the lock, or what a guard was made with. */
tree section_owner(const critical_section &section);

/* Whether a block is reached without an exception. */
bool is_ordinary(basic_block basic);

/* Whether two values are computed alike. */
bool is_same(tree one, tree other);

#endif

/*
 * Where checks go, so that no path between two of them is longer than the bound, even through calls and returns; and
 * what each check charges.
 *
 * Functions are compiled one by one, so what may have happened before a call or in a callee is a convention:
 *   - where a function is entered, at most call_limit() instructions have passed since the last check;
 *   - it either runs at most small_limit() instructions, and calls only what is known to do so, or it has a
 * check on each path before the first other call, and before it is small_limit() instructions old;
 *   - where it returns after a check, at most return_limit() instructions have passed since.
 */
#ifndef PLUGIN_PLACEMENT_H
#define PLUGIN_PLACEMENT_H

#include "flow.h"

struct distances {
	unsigned longest; /* the longest path between two checks, or from the entry to the first one */
	unsigned
	    before_return; /* from the last check, or in a function without any from its entry, to a return */
};

/* All checks of a function whose cycles are broken. */
distances checks_place(flow &flow);

/* Instructions expected from the start of each block to the next check or the return: what checks charge. */
class charges
{
  public:
	explicit charges(flow &flow);
	/* The charge of the check before an instruction; of the check at the entry. */
	unsigned at(const block &where, unsigned before) const;
	unsigned at_entry() const;

  private:
	double after(const block &where) const;
	double within(const block &where, unsigned begin, unsigned end) const;

	flow &of;
	std::vector<double> expected;
};

#endif

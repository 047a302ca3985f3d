/*
 * What checks charge: the instructions expected from each to the next one or the return.
 */
#ifndef PLUGIN_CHARGES_H
#define PLUGIN_CHARGES_H

#include "flow.h"

#define CHECK_WEIGHT 2 /* instructions of a check itself */

class charges
{
  public:
	explicit charges(flow &flow);
	/* The charge of the check before an instruction; of the check at the entry. */
	unsigned at(const block &where, unsigned before) const;
	unsigned at_entry() const;
	/* What is charged by no check of the function's own: to its callers. */
	unsigned before_checks() const;

  private:
	double after(const block &where) const;
	double within(const block &where, unsigned begin, unsigned end) const;

	flow &of;
	std::vector<double> expected;
};

#endif

/*
 * Where only rare ways lead to a return too long after a check, such as a call that makes an array larger, these have
 * one each, and the return has none.
 */
#ifndef PLUGIN_RARE_WAYS_H
#define PLUGIN_RARE_WAYS_H

#include <vector>

#include "distance.h"
#include "flow.h"

/* `ends`: the distances at the ends of blocks, by their indices. `most`: from a check to the return. Returns whether
 * checks were added before the block that returns, which run less than one in it. */
bool check_on_rare_ways(flow &of, const std::vector<distance> &ends, const block &returning, int most);

#endif

#include "rare_ways.h"

#include "loops.h"

#define LOOKS_MOST 100 /* at blocks */

/* Blocks at whose ends checks may stand instead of in one that follows, and how often these run. */
struct cut {
	std::vector<basic_block> blocks;
	double frequency = 0;
};

struct cut_search {
	flow &of;
	const std::vector<distance> &ends;
	int most;
	unsigned looks = 0;

	/* Whether the distance at a block's end is that at its start and what the block adds. */
	static bool may_be_cut_before(const block &block)
	{
		return !block.has_check() && !block.turn && !block.calls_check(0, block.instructions.size());
	}

	/* Whether the ways to a block's start that are too far from a check, with the instructions that are left from
	 * there to the return, can have checks before it: then this adds the places where these run least. */
	bool before(const block &block, int left, cut &result)
	{
		edge e;
		edge_iterator iterator;
		FOR_EACH_EDGE(e, iterator, block.basic->preds)
		{
			const int from_check = ends[e->src->index].from_check;
			const bool reached = from_check != NOT_REACHED, complex = e->flags & EDGE_COMPLEX;
			if (e->src->index == ENTRY_BLOCK || (reached && !complex && from_check + left <= most))
				continue;
			if (complex || of.bounded.count(e) || of.goes_back(e) ||
			    (reached && !at_end(of.at(e->src), left, result)))
				return false;
		}
		return true;
	}

	/* The same of a block's end. */
	bool at_end(const block &block, int left, cut &result)
	{
		cut further;
		const bool can = place_at_end(block) >= 0;
		const bool goes_on = ++looks < LOOKS_MOST && may_be_cut_before(block) &&
		                     before(block, left + (int)block.weight(), further);
		if (!goes_on || (can && block.frequency() <= further.frequency)) {
			further.blocks = {block.basic};
			further.frequency = block.frequency();
		}
		result.blocks.insert(result.blocks.end(), further.blocks.begin(), further.blocks.end());
		result.frequency += further.frequency;
		return goes_on || can;
	}
};

bool check_on_rare_ways(flow &of, const std::vector<distance> &ends, const block &returning, int most)
{
	cut found;
	cut_search search = {of, ends, most};
	if (!cut_search::may_be_cut_before(returning) || !search.before(returning, returning.weight(), found) ||
	    found.blocks.empty() || found.frequency >= returning.frequency())
		return false;
	for (basic_block basic : found.blocks)
		if (int place = place_at_end(of.at(basic)); place >= 0)
			of.check_add(of.at(basic), place);
	return true;
}

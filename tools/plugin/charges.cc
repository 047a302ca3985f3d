#include "charges.h"

#include <algorithm>
#include <cmath>

double charges::within(const block &where, unsigned begin, unsigned end) const
{
	double sum = 0;
	for (unsigned i = begin; i < end; i++)
		sum += where.instructions[i].weight + where.instructions[i].uncharged;
	return sum * where.multiplier;
}

/* The instructions expected behind a block: the mean over its outgoing edges. */
double charges::after(const block &where) const
{
	double sum = 0, weights = 0;
	edge e;
	edge_iterator iterator;
	FOR_EACH_EDGE(e, iterator, where.basic->succs)
	{
		if (of.bounded.count(e))
			continue;
		double weight = e->probability.initialized_p() ? e->probability.to_sreal().to_double() + 1e-6 : 1;
		sum += weight * expected[e->dest->index];
		weights += weight;
	}
	return weights > 0 ? sum / weights : 0;
}

charges::charges(flow &flow) : of(flow), expected(flow.blocks.size())
{
	/* Twice: edges that go back lead to a block with a check, or to one on the way there. */
	for (unsigned round = 0; round < 2; round++) {
		for (auto index = of.order.rbegin(); index != of.order.rend(); ++index) {
			const block &block = of.blocks[*index];
			expected[*index] = block.has_check() ? within(block, 0, block.checks.front())
			                                     : within(block, 0, block.instructions.size()) + after(block);
		}
	}
}

unsigned charges::at(const block &where, unsigned before) const
{
	auto next = std::upper_bound(where.checks.begin(), where.checks.end(), before);
	double sum = next != where.checks.end() ? within(where, before, *next)
	                                        : within(where, before, where.instructions.size()) + after(where);
	return CHECK_WEIGHT + (unsigned)std::lround(sum);
}

unsigned charges::before_checks() const
{
	return std::lround(expected[single_succ(ENTRY_BLOCK_PTR_FOR_FN(cfun))->index]);
}

unsigned charges::at_entry() const
{
	return CHECK_WEIGHT + before_checks();
}

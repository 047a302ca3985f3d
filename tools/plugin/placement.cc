#include "placement.h"

#include <algorithm>

#include "charges.h"
#include "convention.h"
#include "distance.h"
#include "loops.h"
#include "options.h"
#include "rare_ways.h"

/* Sweeps over the blocks until nothing changes. */
class sweeper
{
  public:
	explicit sweeper(flow &flow) : of(flow), needed(flow.blocks.size()), out(flow.blocks.size())
	{
		size_t most = 0;
		for (const block &block : of.blocks)
			most = std::max(most, block.instructions.size());
		before.resize(most);
		find_needed();
	}

	ways_through ways() const
	{
		distance found;
		for (const block &block : of.blocks)
			if (block.basic && block.position && block.basic->index >= NUM_FIXED_BLOCKS && returns(block))
				found.join(out[block.basic->index]);
		return {std::max(to_check, found.from_entry), found.from_entry, found.from_check};
	}

	unsigned run()
	{
		of.entry_check = needed[of.first().basic->index];
		settle();
		if (to_check > own.to_check) {
			of.entry_check = true;
			to_check = 0;
			settle();
		}
		return longest;
	}

  private:
	flow &of;
	std::vector<bool>
	    needed; /* every path from the block's start meets a call that needs a check before a check or a return */
	std::vector<distance> out;
	std::vector<distance> before; /* for each instruction of the block in hand */
	unsigned longest = 0;
	int to_check = 0; /* from the entry to a check, a callee's included */
	bool changed = false;
	const convention own = convention_of(cfun->decl);

	void settle()
	{
		do {
			changed = false;
			for (int index : of.order)
				sweep(of.blocks[index]);
		} while (changed);
	}

	void find_needed()
	{
		for (auto index = of.order.rbegin(); index != of.order.rend(); ++index)
			needed[*index] = is_needed(of.blocks[*index]);
	}

	/* Whether a check must come before the call, wherever it stands in the function. */
	bool needs_check(const instruction &call) const
	{
		return (int)call.weight + call.callee.to_check > own.to_check;
	}

	bool is_needed(const block &block) const
	{
		unsigned check = block.has_check() ? block.checks.front() : block.instructions.size();
		for (unsigned i = 0; i < check; i++)
			if (const instruction &one = block.instructions[i]; one.may_check()) {
				if (needs_check(one))
					return true;
				if (one.callee.without_check == NO_WAY)
					return false;
			}
		if (block.has_check() || EDGE_COUNT(block.basic->succs) == 0)
			return false;
		edge e;
		edge_iterator iterator;
		FOR_EACH_EDGE(e, iterator, block.basic->succs)
		if (of.goes_back(e) || !needed[e->dest->index])
			return false;
		return true;
	}

	distance on_arrival(const block &block)
	{
		distance result;
		edge e;
		edge_iterator iterator;
		FOR_EACH_EDGE(e, iterator, block.basic->preds)
		{
			if (of.bounded.count(e))
				continue;
			if (e->src->index != ENTRY_BLOCK)
				result.join(along(e));
			else if (of.entry_check)
				result.join({NOT_REACHED, CHECK_WEIGHT});
			else
				result.join({0, NOT_REACHED});
		}
		return result;
	}

	/* An exception, or a goto out of a nested function, may come from any inner call. */
	distance along(edge e) const
	{
		distance result = out[e->src->index];
		if (result.is_reached() && e->flags & (EDGE_EH | EDGE_ABNORMAL_CALL))
			result.from_check = std::max(result.from_check, (int)call_limit());
		return result;
	}

	/* Add a check at or before an instruction, behind the last check; in the worst case where the flags are live.
	 * Returns its place, or -1 if there is none: no check stands in the middle of making a frame or of taking more
	 * stack. */
	int insert(block &block, unsigned latest)
	{
		int place = place_latest(block, latest);
		auto behind = std::upper_bound(block.checks.begin(), block.checks.end(), latest);
		if (place < 0 || (behind != block.checks.begin() && place <= (int)behind[-1]))
			place = place_anywhere(block, latest); /* the frame is completed first */
		if (place < 0 || std::binary_search(block.checks.begin(), block.checks.end(), (unsigned)place))
			return -1;
		of.check_add(block, place);
		changed = true;
		return place;
	}

	/* Whether checks at the ends of the blocks before can stand in for one here. */
	bool can_check_before(const block &block)
	{
		edge e;
		edge_iterator iterator;
		FOR_EACH_EDGE(e, iterator, block.basic->preds)
		if (of.bounded.count(e) || of.goes_back(e) || e->src->index == ENTRY_BLOCK ||
		    e->flags & EDGE_COMPLEX || place_at_end(of.at(e->src)) < 0)
			return false;
		return true;
	}

	/* Where the flags are live from the block's start to where a check must come, keeping them would cost as much as
	 * ten checks. Returns whether there are checks before the block instead. */
	bool check_before(const block &block, unsigned latest)
	{
		if (block.calls_check(0, latest) || place_latest(block, latest) >= 0 || !can_check_before(block))
			return false;
		edge e;
		edge_iterator iterator;
		FOR_EACH_EDGE(e, iterator, block.basic->preds)
		of.check_add(of.at(e->src), place_at_end(of.at(e->src)));
		return changed = true;
	}

	/* Whether a check must come before this instruction. */
	bool is_too_late(const block &block, unsigned i, const distance &here) const
	{
		const instruction &one = block.instructions[i];
		int after = one.weight + one.callee.to_check;
		return (here.from_entry >= 0 && here.from_entry + after > own.to_check) ||
		       (here.from_check >= 0 && here.from_check + after + CHECK_WEIGHT > (int)options.bound);
	}

	/* Whether all turns of a loop without checks would be too long after this. */
	bool is_too_long(const block &header, const distance &here) const
	{
		int all = header.repeated + header.turn;
		return (here.from_entry >= 0 && here.from_entry + all > own.to_check) ||
		       (here.from_check >= 0 && here.from_check + all + CHECK_WEIGHT > (int)options.bound);
	}

	/* A check inside would run on each turn. */
	void check_before_loop(const block &header)
	{
		edge e;
		edge_iterator iterator;
		FOR_EACH_EDGE(e, iterator, header.basic->preds)
		{
			if (of.bounded.count(e) || e->src->index == ENTRY_BLOCK)
				continue;
			block &before = of.at(e->src);
			int place = place_latest(before, before.instructions.size());
			if (place >= 0 && !std::binary_search(before.checks.begin(), before.checks.end(), place)) {
				of.check_add(before, place);
				changed = true;
			}
		}
	}

	static bool returns(const block &block)
	{
		edge e;
		edge_iterator iterator;
		FOR_EACH_EDGE(e, iterator, block.basic->succs)
		if (e->dest->index == EXIT_BLOCK)
			return true;
		return false;
	}

	/* The first place from which few enough instructions are left. */
	unsigned place_before_return(const block &block) const
	{
		unsigned i = block.instructions.size() - 1, left = block.instructions[i].weight;
		while (i > 0 && left + block.instructions[i - 1].weight <= (unsigned)own.from_check / 2 &&
		       block.instructions[i - 1].call == call_kind::none)
			left += block.instructions[--i].weight;
		int place = place_earliest(block, i);
		return place >= 0 ? place : i;
	}

	/* A return that is too far from a check needs another. Returns whether one was added to this block. */
	bool check_before_return(block &block, const distance &end)
	{
		if (!returns(block) || end.from_check <= own.from_check || block.instructions.empty())
			return false;
		if (check_on_rare_ways(of, out, block, own.from_check)) {
			changed = true;
			return false;
		}
		unsigned place = place_before_return(block);
		if (std::binary_search(block.checks.begin(), block.checks.end(), place))
			return false;
		of.check_add(block, place);
		return changed = true;
	}

	void sweep(block &block)
	{
		distance here = on_arrival(block);
		if (!here.is_reached())
			return;
		if (here.from_entry >= 0 && needed[block.basic->index] && !block.has_check() &&
		    !block.instructions.empty())
			if (int place = place_earliest(block, 0); place >= 0 && !block.calls_check(0, place)) {
				of.check_add(block, place);
				changed = true;
			}
		if (block.turn && is_too_long(block, here)) {
			check_before_loop(block);
			here = {NOT_REACHED, CHECK_WEIGHT};
		}
		here.add(block.repeated);
		distance end = walk(block, here);
		if (check_before_return(block, end))
			end = walk(block, here);
		if (end != out[block.basic->index])
			changed = true;
		out[block.basic->index] = end;
	}

	/* If a check is added, usually further up, the walk goes on from there. */
	distance walk(block &block, const distance start)
	{
		distance here = start;
		unsigned next = 0; /* index of the next of the block's checks */
		for (unsigned i = 0; i < block.instructions.size(); i++) {
			before[i] = here;
			bool checked = next < block.checks.size() && block.checks[next] == i;
			if (!checked && is_too_late(block, i, here) && check_before(block, i))
				return walk(block, {NOT_REACHED, CHECK_WEIGHT});
			if (int place; !checked && is_too_late(block, i, here) && (place = insert(block, i)) >= 0) {
				auto added = std::lower_bound(block.checks.begin(), block.checks.end(), (unsigned)place);
				next = added - block.checks.begin();
				i = std::min(i, (unsigned)place);
				here = before[i];
				checked = i == (unsigned)place;
			}
			if (checked) {
				note_longest(here);
				here = {NOT_REACHED, CHECK_WEIGHT};
				next++;
			}
			here.add(block.instructions[i].weight);
			if (block.instructions[i].may_check())
				here = behind_call(block.instructions[i], here);
		}
		note_longest(here);
		return here;
	}

	/* The callee had a check, or passed none. Behind a sibling call the caller goes on with what that leaves. setjmp
	 * may return from wherever longjmp was called. */
	distance behind_call(const instruction &call, const distance &here)
	{
		distance to_check = here, behind = here;
		to_check.add(call.callee.to_check);
		note_longest(to_check);
		if (find_reg_note(call.insn, REG_SETJMP, NULL_RTX))
			return {NOT_REACHED, (int)call_limit()};
		if (call.callee.without_check != NO_WAY)
			behind.add(call.callee.without_check);
		else
			behind = {NOT_REACHED, NOT_REACHED};
		behind.join({NOT_REACHED, call.callee.from_check});
		return behind;
	}

	/* A check, or where nothing follows any more. */
	void note_longest(const distance &here)
	{
		const int entered = (int)options.bound - own.to_check - CHECK_WEIGHT;
		int found = std::max(here.from_check, here.from_entry >= 0 ? here.from_entry + entered : 0);
		longest = std::max(longest, (unsigned)std::max(found, 0));
		to_check = std::max(to_check, here.from_entry);
	}
};

distances checks_place(flow &flow)
{
	sweeper sweeper(flow);
	unsigned longest = sweeper.run();
	return {longest, sweeper.ways()};
}

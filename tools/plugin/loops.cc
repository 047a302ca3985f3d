#include "loops.h"

#include <algorithm>

#include "marker.h"
#include "options.h"

#define REDUNDANCY_STEPS 100000000 /* a second or so of the compiler's time, at most */

static bool is_free(const instruction &before)
{
	return !before.flags_live && !before.closed;
}

int place_latest(const block &where, int latest)
{
	int i = std::min(latest, (int)where.instructions.size() - 1);
	while (i >= 0 && !is_free(where.instructions[i]))
		i--;
	return i;
}

int place_at_end(const block &where)
{
	const unsigned end = where.instructions.size();
	int place = place_latest(where, end);
	return place >= 0 && !where.calls_check(place, end) && !where.has_check_from(place) ? place : -1;
}

int place_earliest(const block &where, int earliest)
{
	for (int i = earliest; i < (int)where.instructions.size(); i++)
		if (is_free(where.instructions[i]))
			return i;
	return -1;
}

int place_anywhere(const block &where, int earliest)
{
	for (int i = earliest; i < (int)where.instructions.size(); i++)
		if (!where.instructions[i].closed)
			return i;
	return -1;
}

/* A natural loop; its blocks are in the order of the flow. */
struct natural_loop {
	loop_p loop;
	std::vector<basic_block> body;
	std::vector<edge> latches;

	natural_loop(flow &flow, loop_p found) : loop(found)
	{
		edge e;
		edge_iterator iterator;
		FOR_EACH_EDGE(e, iterator, found->header->preds)
		if (flow_bb_inside_loop_p(found, e->src))
			latches.push_back(e);
		basic_block *blocks = get_loop_body(found);
		body.assign(blocks, blocks + found->num_nodes);
		free(blocks);
		std::sort(body.begin(), body.end(), [&flow](basic_block one, basic_block other) {
			return flow.at(one).position < flow.at(other).position;
		});
	}

	bool is_on_each_turn(basic_block basic) const
	{
		return std::all_of(latches.begin(), latches.end(),
		                   [basic](edge e) { return dominated_by_p(CDI_DOMINATORS, e->src, basic); });
	}
};

/* The number of turns that markers promise; 0: none. */
static unsigned turns_promised(flow &flow, const natural_loop &natural)
{
	std::vector<marker> found;
	for (basic_block basic : natural.body)
		for (const instruction &one : flow.at(basic).instructions)
			if (marker marker = marker_read(one.insn);
			    marker.kind == marker_kind::enter ||
			    (marker.kind == marker_kind::turn && basic->loop_father == natural.loop &&
			     natural.is_on_each_turn(basic)))
				found.push_back(marker);
	for (const marker &turn : found) {
		bool entered_inside = std::any_of(found.begin(), found.end(), [&turn](const marker &other) {
			return other.kind == marker_kind::enter && other.id == turn.id;
		});
		if (turn.kind == marker_kind::turn && !entered_inside)
			return turn.maximum;
	}
	return 0;
}

/* Instructions on the longest path from the header to the end of a turn that passes no check; -1: every path passes
 * one. `longest` is for each block; it is empty (-1) when it is passed in, and again at the end. */
static int longest_turn(flow &flow, const natural_loop &natural, std::vector<int> &longest)
{
	int result = -1;
	for (basic_block basic : natural.body) {
		block &block = flow.at(basic);
		int before = basic == natural.loop->header ? 0 : -1;
		edge e;
		edge_iterator iterator;
		FOR_EACH_EDGE(e, iterator, basic->preds)
		if (flow_bb_inside_loop_p(natural.loop, e->src) && !flow.goes_back(e))
			before = std::max(before, longest[e->src->index]);
		if (before < 0 || block.has_check())
			continue;
		longest[basic->index] =
		    before + (basic == natural.loop->header ? 0 : block.repeated) + block.weight();
	}
	for (edge e : natural.latches)
		result = std::max(result, longest[e->src->index]);
	for (basic_block basic : natural.body)
		longest[basic->index] = -1;
	return result;
}

static bool calls_check(flow &flow, const natural_loop &natural)
{
	for (basic_block basic : natural.body)
		for (const instruction &one : flow.at(basic).instructions)
			if (one.may_check())
				return true;
	return false;
}

/* How often the body is expected to run when the loop is entered. */
static double turns_expected(const natural_loop &natural, unsigned maximum)
{
	profile_count entered = profile_count::zero(), header = natural.loop->header->count;
	edge e;
	edge_iterator iterator;
	FOR_EACH_EDGE(e, iterator, natural.loop->header->preds)
	if (!flow_bb_inside_loop_p(natural.loop, e->src))
		entered += e->count();
	if (!header.initialized_p() || !entered.initialized_p() || !entered.nonzero_p())
		return maximum;
	return std::min((double)maximum, header.to_sreal_scale(entered).to_double());
}

static bool is_bounded(flow &flow, const natural_loop &natural, int turn)
{
	unsigned maximum = turns_promised(flow, natural);
	if (!maximum || calls_check(flow, natural) || (unsigned long)maximum * turn > options.bound / 4 * 3)
		return false;
	flow.at(natural.loop->header).repeated = (maximum - 1) * turn;
	flow.at(natural.loop->header).turn = turn;
	double expected = turns_expected(natural, maximum);
	for (basic_block basic : natural.body)
		flow.at(basic).multiplier *= expected;
	for (edge e : natural.latches)
		flow.bounded.insert(e);
	return true;
}

static bool runs_less(basic_block one, basic_block other)
{
	return one->count.initialized_p() && other->count.initialized_p() && one->count < other->count;
}

/* The block, of those that each turn passes, where a check has room; null: there is none. */
static basic_block block_of_turn(flow &flow, const natural_loop &natural, turn_place place)
{
	basic_block found = nullptr;
	for (basic_block basic : natural.body)
		if (natural.is_on_each_turn(basic) && place_earliest(flow.at(basic), 0) >= 0 &&
		    (!found || (place == turn_place::rarest && runs_less(basic, found))))
			found = basic;
	return found;
}

/* Whether checks at the ends of all turns cost less than one in that block. */
static bool is_dearer_than_ends(flow &flow, const natural_loop &natural, basic_block basic)
{
	double cost = 0;
	for (edge e : natural.latches) {
		const block &block = flow.at(e->src);
		const int end = place_latest(block, block.instructions.size());
		if (end < 0)
			return false;
		cost += block.frequency() * (block.is_in_jump(end) ? COST_IN_JUMP : 1);
	}
	return cost < flow.at(basic).frequency();
}

/* A check on each turn: where all turns pass. Otherwise at the end of each turn. Returns whether another place would
 * make a difference. */
static bool check_turns(flow &flow, const natural_loop &natural, turn_place place)
{
	basic_block found = block_of_turn(flow, natural, place);
	const bool at_ends = found && is_dearer_than_ends(flow, natural, found);
	if (found && !(at_ends && place == turn_place::ends)) {
		flow.check_add(flow.at(found), place_earliest(flow.at(found), 0));
		return place == turn_place::first &&
		       (at_ends || block_of_turn(flow, natural, turn_place::rarest) != found);
	}
	for (edge e : natural.latches) {
		block &block = flow.at(e->src);
		int end = place_latest(block, block.instructions.size());
		if (end < 0) {
			/* The flags are live everywhere. The header has an instruction, since otherwise the loop would have
			 * none. */
			for (basic_block basic : natural.body)
				if (int forced = place_anywhere(flow.at(basic), 0);
				    natural.is_on_each_turn(basic) && forced >= 0) {
					flow.check_add(flow.at(basic), forced);
					return false;
				}
			flow.bounded.insert(e); /* as in break_at() */
			continue;
		}
		flow.check_add(block, end);
	}
	return false;
}

static bool natural_loops_break(flow &flow, turn_place place)
{
	bool differs = false;
	std::vector<int> longest(flow.blocks.size(), -1);
	loop_optimizer_init(AVOID_CFG_MODIFICATIONS);
	for (loop_p loop : loops_list(cfun, LI_FROM_INNERMOST)) {
		natural_loop natural(flow, loop);
		int turn = longest_turn(flow, natural, longest);
		if (turn >= 0 && !is_bounded(flow, natural, turn))
			differs |= check_turns(flow, natural, place);
	}
	loop_optimizer_finalize();
	return differs;
}

/* A search for a cycle without a check, from block to block. */
struct cycle_search {
	flow &of;
	enum class state { unseen, open, closed };
	std::vector<state> states;
	bool found = false;

	explicit cycle_search(flow &searched) : of(searched), states(searched.blocks.size(), state::unseen)
	{
	}

	/* Break the first cycle that it finds, at a block that is open. */
	void visit(basic_block start)
	{
		std::vector<std::pair<basic_block, unsigned>> path = {{start, 0}};
		states[start->index] = state::open;
		while (!path.empty()) {
			auto &[basic, next] = path.back();
			if (of.at(basic).has_check() || next == EDGE_COUNT(basic->succs)) {
				states[basic->index] = state::closed;
				path.pop_back();
				continue;
			}
			edge e = EDGE_SUCC(basic, next++);
			if (e->dest->index < NUM_FIXED_BLOCKS || of.bounded.count(e))
				continue;
			if (states[e->dest->index] == state::open && !of.at(e->dest).has_check())
				break_at(e, path);
			else if (states[e->dest->index] == state::unseen) {
				states[e->dest->index] = state::open;
				path.push_back({e->dest, 0});
			}
		}
	}

	/* The cycle is the end of the path, from where the edge leads. Best there, or where it comes from; in the worst
	 * case where the flags are live. A closed cycle is none: what settles a jump does not jump there itself. */
	void break_at(edge e, const std::vector<std::pair<basic_block, unsigned>> &path)
	{
		found = true;
		std::vector<basic_block> cycle = {e->dest};
		for (auto one = path.rbegin(); one->first != e->dest; ++one)
			cycle.push_back(one->first);
		for (auto find : {place_earliest, place_anywhere})
			for (basic_block basic : cycle)
				if (int place = find(of.at(basic), 0); place >= 0)
					return of.check_add(of.at(basic), place);
		of.bounded.insert(e);
	}
};

/* Whether a path leads from a block's end back to its start without a check. */
static bool returns_unchecked(flow &flow, basic_block start)
{
	std::vector<bool> seen(flow.blocks.size());
	std::vector<basic_block> open = {start};
	while (!open.empty()) {
		basic_block basic = open.back();
		open.pop_back();
		edge e;
		edge_iterator iterator;
		FOR_EACH_EDGE(e, iterator, basic->succs)
		{
			if (e->dest == start && !flow.bounded.count(e))
				return true;
			if (e->dest->index < NUM_FIXED_BLOCKS || flow.bounded.count(e) || seen[e->dest->index] ||
			    flow.at(e->dest).has_check())
				continue;
			seen[e->dest->index] = true;
			open.push_back(e->dest);
		}
	}
	return false;
}

/* In a tangle of cycles, such as an interpreter's, some checks are not needed beside the others. Drop those that run
 * most first. */
static void redundant_drop(flow &flow)
{
	std::vector<basic_block> checked;
	for (const block &block : flow.blocks)
		if (block.has_check())
			checked.push_back(block.basic);
	if ((unsigned long)checked.size() * n_edges_for_fn(cfun) > REDUNDANCY_STEPS)
		return;
	std::stable_sort(checked.begin(), checked.end(), [](basic_block one, basic_block other) {
		return one->count.to_frequency(cfun) > other->count.to_frequency(cfun);
	});
	for (basic_block basic : checked) {
		std::vector<unsigned> checks;
		checks.swap(flow.at(basic).checks);
		if (returns_unchecked(flow, basic))
			checks.swap(flow.at(basic).checks);
	}
}

bool cycles_break(flow &flow, turn_place place)
{
	const bool differs = natural_loops_break(flow, place);
	for (bool found = true; found;) {
		cycle_search search(flow);
		for (int index : flow.order)
			if (search.states[index] == cycle_search::state::unseen)
				search.visit(flow.blocks[index].basic);
		found = search.found;
	}
	redundant_drop(flow);
	return differs;
}

#include "turns.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "attributes.h"
#include "gcc.h"
#include "marker.h"
#include "options.h"

#define UNROLLED_TURNS        4
#define UNROLLED_SIZE_MAXIMUM 10  /* of a turn, estimated; usually more than its instructions */
#define UNROLLED_LOOPS_MOST   200 /* of a function: the compiler's time for them grows with their square */
#define UNROLLED_GROWTH_LEAST 64  /* a function may always grow by this, estimated, */
#define UNROLLED_GROWTH_PART  32  /* or by this part of its size, if that is more */

/* Marked loops, and how often the header of each runs at most. */
using turns_of_loop = std::unordered_map<class loop *, unsigned>;

static bool is_plain(gimple *statement)
{
	return !is_gimple_call(statement) || gimple_call_internal_p(statement) || is_gimple_debug(statement) ||
	       gimple_inexpensive_call_p(as_a<gcall *>(statement));
}

/* Estimated instructions of one turn, inner loops included; 0: unknown, or it has calls. */
static unsigned size_of_turn(loop_p loop, const turns_of_loop &marked)
{
	unsigned long size = 0;
	basic_block *body = get_loop_body(loop);
	for (unsigned i = 0; i < loop->num_nodes && size <= options.bound; i++) {
		unsigned long times = 1, own = 0;
		for (loop_p inner = body[i]->loop_father; inner != loop; inner = loop_outer(inner))
			times *= marked.count(inner) ? marked.at(inner) : options.bound + 1;
		for (gimple_stmt_iterator at = gsi_start_bb(body[i]); !gsi_end_p(at); gsi_next(&at))
			own += is_plain(gsi_stmt(at)) ? estimate_num_insns(gsi_stmt(at), &eni_size_weights)
			                              : options.bound + 1;
		size += times * own;
	}
	free(body);
	return size > options.bound ? 0 : size + 1;
}

/* A generator switches in one, and the processor predicts one site better than four. */
static bool has_asm(loop_p loop)
{
	bool found = false;
	basic_block *body = get_loop_body(loop);
	for (unsigned i = 0; i < loop->num_nodes && !found; i++)
		for (gimple_stmt_iterator at = gsi_start_bb(body[i]); !gsi_end_p(at) && !found; gsi_next(&at))
			found = gimple_code(gsi_stmt(at)) == GIMPLE_ASM;
	free(body);
	return found;
}

/* How often a loop's header runs at most, if that is a constant; 0: it is not. */
static unsigned long turns_known(loop_p loop)
{
	for (edge exit : get_loop_exit_edges(loop)) {
		class tree_niter_desc found;
		if (just_once_each_iteration_p(loop, exit->src) &&
		    number_of_iterations_exit(loop, exit, &found, false) && found.niter &&
		    tree_fits_uhwi_p(found.niter) && tree_to_uhwi(found.niter) < options.bound)
			return tree_to_uhwi(found.niter) + 1;
	}
	return 0;
}

static void mark(loop_p loop, unsigned most)
{
	static unsigned markers_made;
	markers_made++;
	gimple_stmt_iterator at = gsi_after_labels(loop_preheader_edge(loop)->src);
	gsi_insert_before(&at, marker_statement(marker_kind::enter, markers_made, 0), GSI_SAME_STMT);
	at = gsi_after_labels(loop->header);
	gsi_insert_before(&at, marker_statement(marker_kind::turn, markers_made, most), GSI_SAME_STMT);
}

/* Whether the loop needs no check. If the estimate is too low, the last pass finds out, and checks each turn. */
static bool is_short(unsigned long turns, unsigned size)
{
	return turns > 0 && turns * size <= options.bound;
}

/* A loop that may gain by being unrolled. */
struct candidate {
	loop_p loop;
	unsigned size;
};

static unsigned size_of(function *compiled)
{
	unsigned size = 0;
	basic_block basic;
	FOR_EACH_BB_FN(basic, compiled)
	for (gimple_stmt_iterator at = gsi_start_bb(basic); !gsi_end_p(at); gsi_next(&at))
		size += estimate_num_insns(gsi_stmt(at), &eni_size_weights);
	return size;
}

/* The loops that are expected to run most come first, until the function has grown enough: many such loops add more
 * to the code than they gain. */
static void unroll(function *compiled, std::vector<candidate> &candidates)
{
	unsigned left = std::max<unsigned>(UNROLLED_GROWTH_LEAST, size_of(compiled) / UNROLLED_GROWTH_PART);
	std::stable_sort(candidates.begin(), candidates.end(),
	                 [compiled](const candidate &one, const candidate &other) {
		                 return one.loop->header->count.to_frequency(compiled) >
		                        other.loop->header->count.to_frequency(compiled);
	                 });
	if (candidates.size() > UNROLLED_LOOPS_MOST)
		candidates.resize(UNROLLED_LOOPS_MOST);
	for (const candidate &one : candidates) {
		unsigned growth = one.size * (UNROLLED_TURNS - 1);
		if (growth > left)
			return;
		left -= growth;
		one.loop->unroll = UNROLLED_TURNS;
		compiled->has_unroll = 1;
	}
}

static const pass_data turns_data = {
    GIMPLE_PASS, "heddle-turns", OPTGROUP_LOOP, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

class turns_pass : public gimple_opt_pass
{
  public:
	turns_pass() : gimple_opt_pass(turns_data, g)
	{
	}

	bool gate(function *compiled) override
	{
		return optimize > 0 && !is_uncooperative(compiled->decl);
	}

	unsigned execute(function *compiled) override
	{
		turns_of_loop marked;
		std::vector<candidate> candidates;
		if (number_of_loops(compiled) <= 1)
			return 0;
		for (loop_p loop : loops_list(compiled, LI_FROM_INNERMOST)) {
			unsigned size = size_of_turn(loop, marked);
			if (unsigned long turns = size ? turns_known(loop) : 0; is_short(turns, size))
				marked[loop] = turns;
			else if (size && size <= UNROLLED_SIZE_MAXIMUM && !loop->inner && !loop->unroll &&
			         optimize_loop_for_speed_p(loop) && !has_asm(loop))
				candidates.push_back({loop, size});
		}
		unroll(compiled, candidates);
		for (const auto &[loop, turns] : marked)
			mark(loop, turns);
		if (marked.empty())
			return 0;
		mark_virtual_operands_for_renaming(compiled);
		return TODO_update_ssa_only_virtuals;
	}
};

opt_pass *turns_pass_create()
{
	return new turns_pass;
}

#include "strips.h"

#include <unordered_map>
#include <vector>

#include "attributes.h"
#include "gcc.h"
#include "marker.h"
#include "options.h"

/* Shares of the bound that all turns of a marked loop may have, since the size of code is only estimated
 * here. */
#define SHARE_OF_BOUND 4
#define STRIP_MINIMUM  16 /* turns; else there is little to win, and much code to double */

static unsigned markers_made;

/* ---------------------------------------------------------------------------------------------- sizes -- */

/* A loop that is marked, and how often its header runs at most. */
using turns_of_loop = std::unordered_map<const class loop *, unsigned>;

static bool is_plain(gimple *statement)
{
	return !is_gimple_call(statement) || gimple_call_internal_p(statement) || is_gimple_debug(statement) ||
	       gimple_inexpensive_call_p(as_a<gcall *>(statement));
}

/* Estimated instructions of one turn, inner loops included; 0: it cannot be told, or has calls. */
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

/* --------------------------------------------------------------------------------------------- strips -- */

struct counted_loop {
	loop_p loop;
	edge exit;
	tree count;        /* how often the exit is passed by; a variable once the loop is doubled */
	unsigned most;     /* turns of a strip, or of the whole loop */
	unsigned turns;    /* that a strip is expected to have */
	bool short_enough; /* the whole loop needs no check */
};

static void mark(basic_block entered, basic_block header, unsigned most)
{
	markers_made++;
	gimple_stmt_iterator at = gsi_after_labels(entered);
	gsi_insert_before(&at, marker_statement(marker_kind::enter, markers_made, 0), GSI_SAME_STMT);
	at = gsi_after_labels(header);
	gsi_insert_before(&at, marker_statement(marker_kind::turn, markers_made, most), GSI_SAME_STMT);
}

static tree assign(gimple_stmt_iterator *at, tree type, tree_code code, tree left, tree right)
{
	tree result = make_ssa_name(type);
	gsi_insert_before(at, gimple_build_assign(result, code, left, right), GSI_SAME_STMT);
	return result;
}

/* What the header's variables begin a strip with: as they were at the loop's entry, or where the last strip
 * ended. */
static void variables_join(basic_block strip, edge entry, edge again, edge first_turn, edge next_turn)
{
	for (gphi_iterator at = gsi_start_phis(first_turn->dest); !gsi_end_p(at); gsi_next(&at)) {
		gphi *variable = at.phi();
		if (virtual_operand_p(gimple_phi_result(variable)))
			continue; /* found anew by update_ssa() */
		gphi *joined = create_phi_node(copy_ssa_name(gimple_phi_result(variable)), strip);
		add_phi_arg(joined, PHI_ARG_DEF_FROM_EDGE(variable, first_turn), entry, UNKNOWN_LOCATION);
		add_phi_arg(joined, PHI_ARG_DEF_FROM_EDGE(variable, next_turn), again, UNKNOWN_LOCATION);
		SET_USE(PHI_ARG_DEF_PTR_FROM_EDGE(variable, first_turn), gimple_phi_result(joined));
	}
}

/* The compiler guesses few turns for a loop of which it knows nothing. Those that matter run long, and a
 * check charges for what is expected behind it. */
static void profile_update(const counted_loop &counted, basic_block between, edge again, edge done)
{
	edge other = EDGE_SUCC(counted.exit->src, EDGE_SUCC(counted.exit->src, 0) == counted.exit);
	counted.exit->probability = profile_probability::always().apply_scale(1, counted.turns);
	other->probability = counted.exit->probability.invert();
	done->probability = again->probability = profile_probability::even();
	between->count = counted.exit->count();
	again->dest->count += again->count();
}

static void strip(const counted_loop &counted)
{
	tree type = TREE_TYPE(counted.count), one = build_one_cst(type);
	edge next_turn = loop_latch_edge(counted.loop);
	basic_block strip = split_edge(loop_preheader_edge(counted.loop));
	basic_block between = split_edge(counted.exit);
	edge first_turn = single_succ_edge(strip), done = single_succ_edge(between);
	edge again = make_edge(between, strip, EDGE_TRUE_VALUE);
	edge entry = EDGE_PRED(strip, EDGE_PRED(strip, 0) == again);
	done->flags = (done->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
	variables_join(strip, entry, again, first_turn, next_turn);

	/* strip: turns = min(left, most); left -= turns */
	gphi *left = create_phi_node(make_ssa_name(type), strip);
	gimple_stmt_iterator at = gsi_after_labels(strip);
	tree turns = assign(&at, type, MIN_EXPR, gimple_phi_result(left), build_int_cst(type, counted.most - 1));
	tree rest = assign(&at, type, MINUS_EXPR, gimple_phi_result(left), turns);
	tree first = assign(&at, type, PLUS_EXPR, turns, one);

	/* a turn: if (--turns != 0) the next */
	gphi *turn = create_phi_node(make_ssa_name(type), counted.loop->header);
	gcond *condition = as_a<gcond *>(gsi_stmt(gsi_last_bb(counted.exit->src)));
	at = gsi_for_stmt(condition);
	tree next = assign(&at, type, MINUS_EXPR, gimple_phi_result(turn), one);
	add_phi_arg(turn, first, first_turn, UNKNOWN_LOCATION);
	add_phi_arg(turn, next, next_turn, UNKNOWN_LOCATION);
	gimple_cond_set_condition(condition, counted.exit->flags & EDGE_TRUE_VALUE ? EQ_EXPR : NE_EXPR, next,
	                          build_zero_cst(type));
	update_stmt(condition);

	/* between: if (left != 0) left--, the next strip */
	at = gsi_start_bb(between);
	gsi_insert_before(&at, gimple_build_cond(NE_EXPR, rest, build_zero_cst(type), NULL_TREE, NULL_TREE),
	                  GSI_NEW_STMT);
	at = gsi_last_bb(between);
	tree left_again = assign(&at, type, MINUS_EXPR, rest, one);
	add_phi_arg(left, counted.count, entry, UNKNOWN_LOCATION);
	add_phi_arg(left, left_again, again, UNKNOWN_LOCATION);

	profile_update(counted, between, again, done);
	counted.loop->nb_iterations = NULL_TREE;
	mark(strip, counted.loop->header, counted.most);
}

/* Few turns are the common case, and strips do not pay for them: the loop is doubled. As it is it stays for
 * turns that fit in one strip, and needs no check; the copy, which is given back, is for more. */
static counted_loop loop_double(const counted_loop &counted)
{
	gimple_seq statements = nullptr;
	tree count = force_gimple_operand(unshare_expr(counted.count), &statements, true, NULL_TREE);
	if (statements)
		gsi_insert_seq_on_edge_immediate(loop_preheader_edge(counted.loop), statements);
	tree fits = build2(LT_EXPR, boolean_type_node, count, build_int_cst(TREE_TYPE(count), counted.most));
	profile_probability likely = profile_probability::likely(), unlikely = likely.invert();
	basic_block condition;
	initialize_original_copy_tables();
	loop_p copy = loop_version(counted.loop, fits, &condition, likely, unlikely, likely, unlikely, true);
	basic_block exit = copy ? get_bb_copy(counted.exit->src) : nullptr;
	free_original_copy_tables();
	if (!copy)
		return {nullptr, nullptr, NULL_TREE, 0, 0, false};
	mark(loop_preheader_edge(counted.loop)->src, counted.loop->header, counted.most);
	edge leaves = EDGE_SUCC(exit, 0);
	if (flow_bb_inside_loop_p(copy, leaves->dest))
		leaves = EDGE_SUCC(exit, 1);
	return {copy, leaves, count, counted.most, counted.turns, false};
}

/* ---------------------------------------------------------------------------------------------- loops -- */

/* The exit at the end of a turn whose number of passings is known before the loop. */
static bool find_count(loop_p loop, edge exit, tree *count)
{
	class tree_niter_desc found;
	if (!just_once_each_iteration_p(loop, exit->src) ||
	    !number_of_iterations_exit(loop, exit, &found, false) || !found.niter ||
	    found.niter == chrec_dont_know)
		return false;
	*count = found.niter;
	if (!integer_zerop(found.may_be_zero))
		*count = fold_build3(COND_EXPR, TREE_TYPE(found.niter), found.may_be_zero,
		                     build_zero_cst(TREE_TYPE(found.niter)), found.niter);
	return true;
}

/* Whether a division, say, would have to be computed. */
static tree find_expensive(tree *node, int *, void *)
{
	tree_code code = TREE_CODE(*node);
	bool divides = code == TRUNC_DIV_EXPR || code == TRUNC_MOD_EXPR || code == EXACT_DIV_EXPR;
	return divides && TREE_CODE(TREE_OPERAND(*node, 1)) != INTEGER_CST ? *node : NULL_TREE;
}

static bool can_be_stripped(loop_p loop, edge exit, tree count)
{
	return !loop->inner && single_pred_p(loop->latch) && single_pred(loop->latch) == exit->src &&
	       empty_block_p(loop->latch) && !(exit->flags & (EDGE_ABNORMAL | EDGE_EH)) &&
	       safe_dyn_cast<gcond *>(gsi_stmt(gsi_last_bb(exit->src))) &&
	       !walk_tree_without_duplicates(&count, find_expensive, nullptr);
}

/* Whether turns may overlap in the processor: each value that one hands to the next is known beforehand, or
 * many elements go through one instruction. Elsewhere a turn waits for the one before it, and a check on each
 * is hidden behind that. */
static bool is_bound_by_throughput(loop_p loop)
{
	for (gphi_iterator at = gsi_start_phis(loop->header); !gsi_end_p(at); gsi_next(&at)) {
		tree variable = gimple_phi_result(at.phi());
		affine_iv induction;
		if (!virtual_operand_p(variable) && !VECTOR_TYPE_P(TREE_TYPE(variable)) &&
		    !simple_iv(loop, loop, variable, &induction, false))
			return false;
	}
	return true;
}

/* What is to be done with a loop; nothing is changed yet, since one change makes what is known of others
 * stale. */
static void examine(loop_p loop, turns_of_loop &marked, std::vector<counted_loop> &found)
{
	unsigned size = size_of_turn(loop, marked), share = options.bound / SHARE_OF_BOUND;
	tree count;
	if (!size)
		return;
	for (edge exit : get_loop_exit_edges(loop)) {
		if (!find_count(loop, exit, &count))
			continue;
		if (tree_fits_uhwi_p(count) && tree_to_uhwi(count) < share / size) {
			marked[loop] = tree_to_uhwi(count) + 1;
			found.push_back({loop, exit, count, marked[loop], marked[loop], true});
			return;
		}
		if (share / size >= STRIP_MINIMUM && can_be_stripped(loop, exit, count) &&
		    is_bound_by_throughput(loop)) {
			HOST_WIDE_INT likely = likely_max_loop_iterations_int(loop);
			unsigned most = share / size, turns = likely >= 0 && likely < most ? likely + 1 : most;
			found.push_back({loop, exit, count, most, turns, false});
			return;
		}
	}
}

static const pass_data strips_data = {
    GIMPLE_PASS, "heddle-strips", OPTGROUP_LOOP, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

class strips_pass : public gimple_opt_pass
{
  public:
	strips_pass() : gimple_opt_pass(strips_data, g)
	{
	}

	bool gate(function *compiled) override
	{
		return optimize > 0 && !is_uncooperative(compiled->decl);
	}

	unsigned execute(function *compiled) override
	{
		turns_of_loop marked;
		std::vector<counted_loop> found;
		if (number_of_loops(compiled) <= 1)
			return 0;
		for (loop_p loop : loops_list(compiled, LI_FROM_INNERMOST))
			examine(loop, marked, found);
		if (found.empty())
			return 0;
		bool doubled = false;
		for (counted_loop &counted : found) {
			if (counted.short_enough) {
				mark(loop_preheader_edge(counted.loop)->src, counted.loop->header, counted.most);
			} else {
				counted = loop_double(counted);
				doubled = true;
			}
		}
		mark_virtual_operands_for_renaming(compiled);
		update_ssa(TODO_update_ssa);
		if (!doubled)
			return 0;
		for (const counted_loop &counted : found)
			if (counted.loop && !counted.short_enough)
				strip(counted);
		mark_virtual_operands_for_renaming(compiled);
		structure_update(compiled);
		return 0;
	}

  private:
	/* The loops around the strips are new. */
	static void structure_update(function *compiled)
	{
		update_ssa(TODO_update_ssa);
		free_dominance_info(CDI_DOMINATORS);
		calculate_dominance_info(CDI_DOMINATORS);
		loops_state_set(LOOPS_NEED_FIXUP);
		fix_loop_structure(nullptr);
		rewrite_into_loop_closed_ssa(nullptr, TODO_update_ssa);
		free_numbers_of_iterations_estimates(compiled);
		scev_reset();
	}
};

opt_pass *strips_pass_create()
{
	return new strips_pass;
}

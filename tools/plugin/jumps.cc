#include "jumps.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "attributes.h"
#include "entries.h"

#define SETTLING "heddle_stack_" /* the names of the functions that settle something begin so */
#define JUMPED   SETTLING "jumped"
#define ENTERED  SETTLING "entered"

bool is_settling(tree callee)
{
	return DECL_NAME(callee) &&
	       std::strncmp(IDENTIFIER_POINTER(DECL_NAME(callee)), SETTLING, std::strlen(SETTLING)) == 0;
}

gcall *settling_call(const char *name)
{
	tree settle = build_fn_decl(name, build_function_type_list(void_type_node, NULL_TREE));
	DECL_ATTRIBUTES(settle) = tree_cons(get_identifier("leaf"), NULL_TREE, NULL_TREE);
	may_wake_set(settle);
	return gimple_build_call(settle, 0);
}

/* Whether it is setjmp() or the like, or where __builtin_longjmp() lands. */
static bool may_return_again(gimple *statement)
{
	return is_gimple_call(statement) && ((gimple_call_flags(statement) & ECF_RETURNS_TWICE) != 0 ||
	                                     gimple_call_builtin_p(statement, BUILT_IN_SETJMP_RECEIVER));
}

/* Whether an inner function's goto leads here. */
static bool is_entered_from_inside(basic_block basic)
{
	glabel *label = safe_dyn_cast<glabel *>(first_stmt(basic));
	return label && DECL_NONLOCAL(gimple_label_label(label));
}

/* The result of a call that is 0 the first time, when nothing was left yet, and no other time; else null. */
static tree jump_result(gimple *statement)
{
	static const char *const functions[] = {"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp"};
	tree callee = gimple_call_fndecl(statement), result = gimple_call_lhs(statement);
	if (!callee || !DECL_NAME(callee) || !result || !is_gimple_reg(result) ||
	    !INTEGRAL_TYPE_P(TREE_TYPE(result)))
		return NULL_TREE;
	const char *name = IDENTIFIER_POINTER(DECL_NAME(callee));
	return std::any_of(std::begin(functions), std::end(functions),
	                   [name](const char *one) { return std::strcmp(name, one) == 0; })
	           ? result
	           : NULL_TREE;
}

/* Settle on this edge if the result is not 0. */
static void settle_if(edge next, tree result)
{
	gcond *jumped =
	    gimple_build_cond(NE_EXPR, result, build_zero_cst(TREE_TYPE(result)), NULL_TREE, NULL_TREE);
	basic_block settled = insert_cond_bb(split_edge(next), nullptr, jumped, profile_probability::unlikely());
	gimple_stmt_iterator at = gsi_start_bb(settled);
	gsi_insert_before(&at, settling_call(JUMPED), GSI_NEW_STMT);
}

static void settle_behind(gimple_stmt_iterator *at)
{
	gimple *statement = gsi_stmt(*at);
	if (!stmt_ends_bb_p(statement)) {
		gsi_insert_after(at, settling_call(JUMPED), GSI_NEW_STMT);
		return;
	}
	edge next = find_fallthru_edge(gimple_bb(statement)->succs);
	tree result = jump_result(statement);
	if (next && result)
		settle_if(next, result);
	else if (next)
		gsi_insert_on_edge(next, settling_call(JUMPED));
}

void jumps_settle(function *compiled)
{
	if (!flag_split_stack && unit_is_bare())
		return;
	if (flag_split_stack && compiled->calls_alloca)
		gsi_insert_on_edge(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(compiled)), settling_call(ENTERED));
	basic_block basic;
	FOR_EACH_BB_FN(basic, compiled)
	{
		if (is_entered_from_inside(basic)) {
			gimple_stmt_iterator first = gsi_after_labels(basic);
			gsi_insert_before(&first, settling_call(JUMPED), GSI_SAME_STMT);
		}
		for (gimple_stmt_iterator at = gsi_start_bb(basic); !gsi_end_p(at); gsi_next(&at))
			if (may_return_again(gsi_stmt(at)))
				settle_behind(&at);
	}
	gsi_commit_edge_inserts();
}

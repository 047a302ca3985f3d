#include "jumps.h"

#include <cstring>

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

static void settle_behind(gimple_stmt_iterator *at)
{
	gimple *statement = gsi_stmt(*at);
	if (!stmt_ends_bb_p(statement)) {
		gsi_insert_after(at, settling_call(JUMPED), GSI_NEW_STMT);
		return;
	}
	edge next = find_fallthru_edge(gimple_bb(statement)->succs);
	if (next)
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

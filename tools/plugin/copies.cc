#include "copies.h"

#include <vector>

#include "entries.h"

#define SIZE_MOST 30 /* as the compiler estimates; a call of foreign code takes half as much */

/* Whether the unit has its body only to inline it. GNU's own kind of inline functions may differ from the functions
 * that they stand for. */
static bool is_small_and_elsewhere(const cgraph_node *node)
{
	tree function = node->decl;
	return DECL_EXTERNAL(function) && DECL_DECLARED_INLINE_P(function) && !DECL_UNINLINABLE(function) &&
	       !lookup_attribute("gnu_inline", DECL_ATTRIBUTES(function)) && !node->alias && !node->thunk &&
	       tree_versionable_function_p(function) &&
	       estimate_num_insns_fn(function, &eni_size_weights) <= SIZE_MOST;
}

static std::vector<cgraph_edge *> calls_of(const cgraph_node *callee)
{
	std::vector<cgraph_edge *> calls;
	for (cgraph_edge *call = callee->callers; call; call = call->next_caller)
		if (!call->caller->thunk && !DECL_EXTERNAL(call->caller->decl))
			calls.push_back(call);
	return calls;
}

struct copied {
	cgraph_node *original, *copy; /* null: not yet */
};

static std::vector<copied> copies_read()
{
	std::vector<copied> all;
	cgraph_node *node;
	FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node)
	if (is_small_and_elsewhere(node))
		all.push_back({node, nullptr});
	return all;
}

/* Returns whether there were any. */
static bool calls_lead_to_copy(copied &one)
{
	std::vector<cgraph_edge *> calls = calls_of(one.original);
	if (!calls.empty() && !one.copy)
		one.copy =
		    one.original->create_version_clone_with_body(vNULL, nullptr, nullptr, nullptr, nullptr, "heddle");
	for (cgraph_edge *call : calls) {
		call->redirect_callee(one.copy);
		cgraph_edge::redirect_call_stmt_to_callee(call);
	}
	return !calls.empty();
}

static const pass_data copies_data = {
    SIMPLE_IPA_PASS, "heddle-copies", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

/* When bodies are small, and before it is decided what to inline. */
class copies_pass : public simple_ipa_opt_pass
{
  public:
	copies_pass() : simple_ipa_opt_pass(copies_data, g)
	{
	}

	bool gate(function *) override
	{
		return flag_split_stack && optimize && !optimize_size && !unit_is_bare();
	}

	unsigned execute(function *) override
	{
		std::vector<copied> all = copies_read();
		/* Copies call originals. */
		for (bool any = true; any;) {
			any = false;
			for (copied &one : all)
				any |= calls_lead_to_copy(one);
		}
		return 0;
	}
};

opt_pass *copies_pass_create()
{
	return new copies_pass;
}

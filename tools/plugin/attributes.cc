#include "attributes.h"

#define UNCOOPERATIVE "heddle_uncooperative"
#define MAY_SWITCH    "heddle_may_switch"
#define MAY_WAKE      "heddle_may_wake"
#define DEEP          "heddle_deep"
#define SWITCHES_BY   "heddle_switches_by"

static bool has(tree declaration, const char *attribute)
{
	return lookup_attribute(attribute, DECL_ATTRIBUTES(declaration));
}

bool is_resolver(tree declaration)
{
	cgraph_node *node = cgraph_node::get(declaration);
	struct ipa_ref *reference;
	if (!node)
		return false;
	FOR_EACH_ALIAS(node, reference)
	if (cgraph_node *alias = dyn_cast<cgraph_node *>(reference->referring); alias && alias->ifunc_resolver)
		return true;
	return false;
}

bool is_called_at_start(tree declaration)
{
	return DECL_STATIC_CONSTRUCTOR(declaration) || DECL_STATIC_DESTRUCTOR(declaration);
}

bool is_uncooperative(tree declaration)
{
	tree type_attributes = TYPE_ATTRIBUTES(TREE_TYPE(declaration));
	return has(declaration, UNCOOPERATIVE) || is_resolver(declaration) || has(declaration, "naked") ||
	       lookup_attribute("interrupt", type_attributes) ||
	       lookup_attribute("no_caller_saved_registers", type_attributes);
}

bool may_switch(tree declaration)
{
	return has(declaration, MAY_SWITCH);
}

bool is_deep(tree declaration)
{
	return has(declaration, DEEP);
}

bool hands_over_counter(tree declaration)
{
	return may_switch(declaration) || has(declaration, MAY_WAKE);
}

const char *lean_entry(tree declaration)
{
	tree attribute = lookup_attribute(SWITCHES_BY, DECL_ATTRIBUTES(declaration));
	return attribute ? TREE_STRING_POINTER(TREE_VALUE(TREE_VALUE(attribute))) : nullptr;
}

void may_wake_set(tree declaration)
{
	tree name = get_identifier(MAY_WAKE);
	DECL_ATTRIBUTES(declaration) = tree_cons(name, NULL_TREE, DECL_ATTRIBUTES(declaration));
}

/* If it were inlined, the body would lose the attribute. */
static tree handle_not_inlined(tree *node, tree name, tree, int, bool *refused)
{
	if (TREE_CODE(*node) != FUNCTION_DECL) {
		error("heddle: %qE is an attribute of functions", name);
		*refused = true;
	} else {
		DECL_UNINLINABLE(*node) = 1;
	}
	return NULL_TREE;
}

static tree handle_name(tree *, tree name, tree arguments, int, bool *refused)
{
	if (TREE_CODE(TREE_VALUE(arguments)) != STRING_CST) {
		error("heddle: %qE takes the name of a function as a string", name);
		*refused = true;
	}
	return NULL_TREE;
}

static tree handle_nothing(tree *, tree, tree, int, bool *)
{
	return NULL_TREE;
}

static const struct attribute_spec specifications[] = {
    {UNCOOPERATIVE, 0, 0, true, false, false, false, handle_not_inlined, nullptr},
    {MAY_SWITCH, 0, 0, true, false, false, false, handle_nothing, nullptr},
    {MAY_WAKE, 0, 0, true, false, false, false, handle_nothing, nullptr},
    {DEEP, 0, 0, true, false, false, false, handle_nothing, nullptr},
    {SWITCHES_BY, 1, 1, true, false, false, false, handle_name, nullptr},
};

void attributes_register()
{
	for (const attribute_spec &specification : specifications)
		register_attribute(&specification);
}

static tree find_call(tree *node, int *, void *)
{
	return TREE_CODE(*node) == CALL_EXPR || TREE_CODE(*node) == AGGR_INIT_EXPR ? *node : NULL_TREE;
}

static tree call_of(const char *name, bool hands_over)
{
	tree declaration = build_fn_decl(name, build_function_type_list(void_type_node, NULL_TREE));
	if (hands_over)
		may_wake_set(declaration);
	return build_call_expr(declaration, 0);
}

/* begin; try { body } finally { end } */
static tree wrapped(tree begin, tree body, tree end)
{
	tree list = NULL_TREE;
	append_to_statement_list_force(begin, &list);
	append_to_statement_list_force(build2(TRY_FINALLY_EXPR, void_type_node, body, end), &list);
	return list;
}

void uncooperative_wrap(void *data, void *)
{
	tree declaration = (tree)data;
	if (TREE_CODE(declaration) != FUNCTION_DECL || !DECL_SAVED_TREE(declaration))
		return;
	tree &body = DECL_SAVED_TREE(declaration);
	tree &inner = TREE_CODE(body) == BIND_EXPR ? BIND_EXPR_BODY(body) : body;
	if (has(declaration, UNCOOPERATIVE) && walk_tree_without_duplicates(&body, find_call, nullptr))
		inner = wrapped(call_of("uncooperative_begin", false), inner, call_of("uncooperative_end", true));
}

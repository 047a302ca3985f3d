#include "convention.h"

#include "entries.h"
#include "library.h"
#include "options.h"

static bool has_prompt_name(tree function)
{
	const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function));
	return TREE_PUBLIC(function) && library_is_prompt(name + (*name == '*'));
}

static bool is_prompt(tree function)
{
	cgraph_node *node = cgraph_node::get(function);
	auto one_has_name = [](cgraph_node *one, void *) { return has_prompt_name(one->decl); };
	return has_prompt_name(function) ||
	       (node && node->call_for_symbol_and_aliases(one_has_name, nullptr, true));
}

convention convention_of(tree function)
{
	if (function && is_prompt(function))
		return {(int)small_limit() / 4, (int)return_limit() / 4};
	if (!function || has_entries(function))
		return {(int)small_limit(), (int)return_limit()};
	return {(int)small_limit() * 2, (int)return_limit() * 2};
}

#include "convention.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "entries.h"
#include "options.h"

/* None of them throws: it would come to a handler later after a check than others. */
static const char *const prompt_names[] = {"memcpy",  "memmove", "memset",  "memcmp", "memchr",  "bcmp",
                                           "strlen",  "strcmp",  "strncmp", "strchr", "malloc",  "free",
                                           "realloc", "calloc",  "_ZdlPv",  "_ZdaPv", "_ZdlPvm", "_ZdaPvm"};

static bool has_prompt_name(tree function)
{
	const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function));
	name += *name == '*';
	return TREE_PUBLIC(function) &&
	       std::any_of(std::begin(prompt_names), std::end(prompt_names),
	                   [name](const char *one) { return std::strcmp(one, name) == 0; });
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

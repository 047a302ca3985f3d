#include "control.h"

#include <algorithm>
#include <cstring>
#include <iterator>

/* As words of an asm statement, or a part of one. */
static const char *const instructions[] = {"ldmxcsr", "fldcw",  "fldenv", "frstor",
                                           "xrstor",  "fninit", "finit"};

static const char *const functions[] = {
    "__builtin_ia32_ldmxcsr", "fesetround",      "fesetenv",        "feupdateenv", "feholdexcept",
    "feenableexcept",         "fedisableexcept", "fesetexceptflag", "fesetmode"};

static bool names_one(const char *text)
{
	return std::any_of(std::begin(instructions), std::end(instructions),
	                   [text](const char *name) { return std::strstr(text, name) != nullptr; });
}

static bool is_one(tree callee)
{
	const char *called = callee && DECL_NAME(callee) ? IDENTIFIER_POINTER(DECL_NAME(callee)) : "";
	return std::any_of(std::begin(functions), std::end(functions),
	                   [called](const char *name) { return std::strcmp(called, name) == 0; });
}

static bool changes_control(gimple *statement)
{
	if (gasm *assembly = dyn_cast<gasm *>(statement))
		return names_one(gimple_asm_string(assembly));
	return is_gimple_call(statement) && is_one(gimple_call_fndecl(statement));
}

void control_keep(function *compiled)
{
	basic_block basic;
	FOR_EACH_BB_FN(basic, compiled)
	for (gimple_stmt_iterator at = gsi_start_bb(basic); !gsi_end_p(at); gsi_next(&at))
		if (changes_control(gsi_stmt(at))) {
			tree keep =
			    build_fn_decl("task_keep_control", build_function_type_list(void_type_node, NULL_TREE));
			gsi_insert_before(&at, gimple_build_call(keep, 0), GSI_SAME_STMT);
		}
}

#include "control.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <vector>

#include "entries.h"

/* As words of an asm statement, or as parts of words. */
static const char *const instructions[] = {"ldmxcsr", "fldcw",  "fldenv",  "frstor", "xrstor",
                                           "fninit",  "finit",  "stmxcsr", "fnstsw", "fstsw",
                                           "fnstenv", "fstenv", "fnclex",  "fclex"};

static const char *const functions[] = {"__builtin_ia32_ldmxcsr",
                                        "__builtin_ia32_stmxcsr",
                                        "__builtin_ia32_fnstsw",
                                        "__builtin_ia32_fnclex",
                                        "__builtin_ia32_fnstenv",
                                        "__builtin_ia32_fldenv",
                                        "fesetround",
                                        "fesetenv",
                                        "feupdateenv",
                                        "feholdexcept",
                                        "feenableexcept",
                                        "fedisableexcept",
                                        "fesetexceptflag",
                                        "fesetmode",
                                        "feclearexcept",
                                        "fetestexcept",
                                        "feraiseexcept",
                                        "fegetexceptflag",
                                        "fegetenv",
                                        "fesetexcept",
                                        "fetestexceptflag"};

/* `errno` is what lies at the address that this returns. */
bool is_error_place(tree callee)
{
	return DECL_NAME(callee) && std::strcmp(IDENTIFIER_POINTER(DECL_NAME(callee)), "__errno_location") == 0;
}

void error_place_declared(void *declaration, void *)
{
	tree declared = (tree)declaration;
	if (TREE_CODE(declared) == FUNCTION_DECL && is_error_place(declared))
		TREE_READONLY(declared) = 0;
}

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

static bool uses_control(gimple *statement)
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
		if (uses_control(gsi_stmt(at))) {
			tree keep =
			    build_fn_decl("task_keep_control", build_function_type_list(void_type_node, NULL_TREE));
			gsi_insert_before(&at, gimple_build_call(keep, 0), GSI_SAME_STMT);
		}
}

static gcall *place_call_of(gimple *statement)
{
	gcall *call = dyn_cast<gcall *>(statement);
	tree callee = call ? gimple_call_fndecl(call) : NULL_TREE;
	return callee && is_error_place(callee) ? call : nullptr;
}

/* Find the address again, right before a use. */
static tree place_anew(gcall *call, gimple_stmt_iterator at)
{
	gcall *again = gimple_build_call(gimple_call_fndecl(call), 0);
	tree place = make_ssa_name(TREE_TYPE(gimple_call_lhs(call)));
	gimple_call_set_lhs(again, place);
	gimple_set_location(again, gimple_location(call));
	gsi_insert_before(&at, again, GSI_SAME_STMT);
	return place;
}

/* The compiler is told that the address never changes, but it does when the task goes on in another thread. So each
 * use finds the address again. The first call is dropped if its result has no other use. */
static void find_anew(gcall *call)
{
	gimple *user;
	imm_use_iterator users;
	use_operand_p use;
	tree place = gimple_call_lhs(call);
	if (!place || TREE_CODE(place) != SSA_NAME)
		return;
	FOR_EACH_IMM_USE_STMT(user, users, place)
	{
		if (gimple_code(user) == GIMPLE_PHI || is_gimple_debug(user))
			continue;
		tree anew = place_anew(call, gsi_for_stmt(user));
		FOR_EACH_IMM_USE_ON_STMT(use, users)
		SET_USE(use, anew);
		update_stmt(user);
	}
	if (!has_zero_uses(place))
		return;
	gimple_stmt_iterator at = gsi_for_stmt(call);
	gsi_remove(&at, true);
	release_ssa_name(place);
}

bool errors_keep(function *compiled)
{
	std::vector<gcall *> calls;
	basic_block basic;
	FOR_EACH_BB_FN(basic, compiled)
	for (gimple_stmt_iterator at = gsi_start_bb(basic); !gsi_end_p(at); gsi_next(&at))
		if (gcall *call = place_call_of(gsi_stmt(at)))
			calls.push_back(call);
	if (unit_is_bare() || calls.empty())
		return false;
	for (gcall *call : calls)
		find_anew(call);
	tree keep = build_fn_decl("heddle_keep_error", build_function_type_list(void_type_node, NULL_TREE));
	gsi_insert_on_edge_immediate(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(compiled)),
	                             gimple_build_call(keep, 0));
	return true;
}

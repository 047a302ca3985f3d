#include "preserve_none.h"

#include <cstring>
#include <fstream>
#include <string>
#include <unordered_set>
#include <vector>

#include "attributes.h"
#include "entries.h"
#include "options.h"

/* ---------------------------------------------------------------------------------------------- list -- */

static std::unordered_set<std::string> listed_names;

static bool is_name(const std::string &text)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.$";
	static const char later[] = "0123456789";
	return std::strchr(letters, text[0]) &&
	       text.find_first_not_of(std::string(letters) + later) == std::string::npos;
}

static std::string trimmed(const std::string &line)
{
	static const char blanks[] = " \t\r";
	std::string text = line.substr(0, line.find('#'));
	size_t first = text.find_first_not_of(blanks);
	return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

bool preserve_none_read(const char *path)
{
	std::ifstream file(path);
	std::string line;
	for (unsigned number = 1; std::getline(file, line); number++) {
		std::string name = trimmed(line);
		if (name.empty())
			continue;
		if (!is_name(name)) {
			error("heddle: line %u of %qs is not understood: %qs is not one name, as the assembler knows it",
			      number, path, name.c_str());
			return false;
		}
		listed_names.insert(name);
	}
	if (!file.eof()) {
		error("heddle: the list of %<preserve-none=%s%> cannot be read: %m", path);
		return false;
	}
	return true;
}

/* A part or a version that the compiler made of a function goes by the function's name. */
static bool is_listed(tree function)
{
	if (listed_names.empty())
		return false;
	const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(DECL_ORIGIN(function)));
	return listed_names.count(name + (*name == '*'));
}

/* -------------------------------------------------------------------------------------------- decide -- */

static std::unordered_set<unsigned> found; /* functions of this unit that preserve none, by their numbers */

/* Why a function cannot; null: it can. */
static const char *obstacle(cgraph_node *node)
{
	tree function = node->decl, type = TREE_TYPE(function);
	if (node->address_taken)
		return "its address is taken, and a call by that would not know";
	if (DECL_VIRTUAL_P(function))
		return "it is virtual, and is called by its address";
	if (MAIN_NAME_P(DECL_NAME(function)) || is_called_at_start(function))
		return "the C library calls it";
	if (node->alias || node->thunk || node->has_aliases_p())
		return "it has another name";
	if (fndecl_built_in_p(function))
		return "the compiler may call it on its own";
	if (is_uncooperative(function) || lookup_attribute("ms_abi", TYPE_ATTRIBUTES(type)))
		return "its attributes ask for another kind of call";
	return nullptr;
}

static bool is_compiled_here(const cgraph_node *node)
{
	return node->definition && !node->inlined_to && !DECL_EXTERNAL(node->decl);
}

/* Whether something must jump to it. */
static bool is_jumped_to(cgraph_node *node)
{
	for (cgraph_edge *call = node->callers; call; call = call->next_caller)
		if (call->call_stmt && gimple_call_must_tail_p(call->call_stmt))
			return true;
	return false;
}

static bool is_inferred(cgraph_node *node)
{
	return options.preserve_none_auto && is_compiled_here(node) && !has_entries(node->decl) &&
	       !obstacle(node) && !is_jumped_to(node);
}

static void judge_listed(cgraph_node *node)
{
	const char *why = obstacle(node);
	if (!is_compiled_here(node) && !node->address_taken)
		return;
	if (why)
		error_at(DECL_SOURCE_LOCATION(node->decl),
		         "heddle: %qD is in the list of %<preserve-none%>, and cannot be: %s", node->decl, why);
	else
		found.insert(DECL_UID(node->decl));
}

static cgraph_node *caller_of(const cgraph_edge *call)
{
	return call->caller->inlined_to ? call->caller->inlined_to : call->caller;
}

/* While all calls are in the graph: those of a function that is compiled are taken out. */
void preserve_none_decide(void *, void *name)
{
	std::vector<cgraph_node *> losing; /* the callers of which are still to be looked at */
	cgraph_node *node;
	unregister_callback((const char *)name, PLUGIN_ALL_PASSES_START);
	FOR_EACH_FUNCTION(node)
	{
		if (node->inlined_to)
			continue;
		if (is_listed(node->decl))
			judge_listed(node);
		if (preserves_none(node->decl) || lean_entry(node->decl))
			losing.push_back(node);
	}
	while (!losing.empty()) {
		cgraph_edge *call = losing.back()->callers;
		losing.pop_back();
		for (; call; call = call->next_caller)
			if (cgraph_node *caller = caller_of(call);
			    is_inferred(caller) && found.insert(DECL_UID(caller->decl)).second)
				losing.push_back(caller);
	}
}

bool preserves_none(tree function)
{
	return found.count(DECL_UID(function)) || is_listed(function);
}

/* ------------------------------------------------------------------------------------------- compile -- */

/* Whether a call may not be a jump at the caller's end. */
static bool returns_here(const gimple *statement, bool caller_preserves)
{
	tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
	return callee && (caller_preserves ? preserves_none(callee) : lean_entry(callee) != nullptr);
}

void preserve_none_return(function *compiled)
{
	const bool preserves = !preserves_none(compiled->decl);
	basic_block basic;
	FOR_EACH_BB_FN(basic, compiled)
	for (gimple_stmt_iterator at = gsi_start_bb(basic); !gsi_end_p(at); gsi_next(&at)) {
		if (!returns_here(gsi_stmt(at), preserves))
			continue;
		gcall *call = as_a<gcall *>(gsi_stmt(at));
		if (gimple_call_must_tail_p(call))
			error_at(gimple_location(call),
			         "heddle: %qD preserves no registers, so %qD cannot end with a jump to it",
			         gimple_call_fndecl(call), compiled->decl);
		gimple_call_set_tail(call, false);
	}
}

/* Of the target whose table is changed: a function may have one of its own. */
static target_hard_regs *changed;

void preserve_none_begin(function *compiled)
{
	if (!preserves_none(compiled->decl))
		return;
	/* The frame's layout asks the one, the allocation of registers the other. */
	predefined_function_abi &abi = function_abis[NUM_ABI_IDS - 1];
	HARD_REG_SET clobbered = crtl->abi->full_reg_clobbers();
	changed = this_target_hard_regs;
	for (unsigned lost : lost_registers) {
		changed->x_call_used_regs[lost] = 1;
		SET_HARD_REG_BIT(clobbered, lost);
	}
	abi.initialize(NUM_ABI_IDS - 1, clobbered);
	crtl->abi = &abi;
}

void preserve_none_end(void *, void *)
{
	if (!changed)
		return;
	for (unsigned lost : lost_registers)
		changed->x_call_used_regs[lost] = 0;
	changed = nullptr;
}

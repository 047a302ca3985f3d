#include "delegable.h"

#include <cstring>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "attributes.h"
#include "delegable_sections.h"
#include "gcc.h"

/* ------------------------------------------------------------------------------------ what may switch -- */

/* What a function may do, as far as its unit shows. `by`: the call or the callee that shows it. */
enum class conduct { plain, unseen, switches };

struct judgement {
	conduct what;
	tree by; /* a function; null: a call through a pointer */
};

static bool is_harmless(tree callee)
{
	return fndecl_built_in_p(callee) || TREE_READONLY(callee) || DECL_PURE_P(callee) ||
	       DECL_IS_OPERATOR_NEW_P(callee) || DECL_IS_OPERATOR_DELETE_P(callee) ||
	       TREE_THIS_VOLATILE(callee) || lookup_attribute("leaf", DECL_ATTRIBUTES(callee));
}

/* In code for threads: conditions, joins and the like have no attribute. */
static bool waits_by_name(tree callee)
{
	const char *name = DECL_NAME(callee) ? IDENTIFIER_POINTER(DECL_NAME(callee)) : "";
	for (const char *part : {"wait", "Wait", "sleep", "Sleep", "join", "Join", "yield"})
		if (std::strstr(name, part))
			return true;
	return false;
}

static judgement judge_body(tree callee);

static judgement judge_call(gimple *call)
{
	tree callee = gimple_call_fndecl(call);
	if (gimple_call_internal_p(call))
		return {conduct::plain, NULL_TREE};
	if (!callee)
		return {conduct::unseen, NULL_TREE};
	if (may_switch(callee) || takes_lock(callee) || waits_by_name(callee))
		return {conduct::switches, callee};
	if (is_harmless(callee))
		return {conduct::plain, NULL_TREE};
	return judge_body(callee);
}

/* Where a function's text is: constructors that are alike have one. What may be replaced by another is not seen. */
static function *body_of(tree callee)
{
	cgraph_node *node = cgraph_node::get(callee);
	tree text = node ? node->ultimate_alias_target()->decl : callee;
	function *body = DECL_STRUCT_FUNCTION(text);
	return body && body->cfg && !(DECL_WEAK(text) && !DECL_COMDAT(text)) ? body : nullptr;
}

/* A function that calls itself is what the rest of it is. */
static judgement judge_body(tree callee)
{
	static std::unordered_map<tree, judgement> known;
	auto at = known.find(callee);
	if (at != known.end())
		return at->second;
	function *body = body_of(callee);
	judgement found = {conduct::plain, NULL_TREE};
	known[callee] = found;
	if (!body)
		found = {conduct::unseen, callee};
	else {
		basic_block basic;
		FOR_EACH_BB_FN(basic, body)
		for (gimple_stmt_iterator at = gsi_start_bb(basic); !gsi_end_p(at); gsi_next(&at)) {
			if (!is_gimple_call(gsi_stmt(at)))
				continue;
			judgement one = judge_call(gsi_stmt(at));
			if (one.what > found.what)
				found = one;
		}
	}
	return known[callee] = found;
}

/* ------------------------------------------------------------------------------- what belongs to a task -- */

static tree base_of(tree reference)
{
	return reference ? get_base_address(reference) : NULL_TREE;
}

static bool is_local(tree variable)
{
	return variable && (VAR_P(variable) || TREE_CODE(variable) == RESULT_DECL) && !is_global_var(variable) &&
	       !TREE_STATIC(variable);
}

/* The parameter or variable that a pointer is computed from; also, `loads`, if it was loaded from where one leads. */
static tree root_of(tree pointer, bool loads, int depth = 8)
{
	if (!pointer || depth == 0)
		return NULL_TREE;
	if (TREE_CODE(pointer) != SSA_NAME) {
		tree base = base_of(TREE_CODE(pointer) == ADDR_EXPR ? TREE_OPERAND(pointer, 0) : pointer);
		return base && TREE_CODE(base) == MEM_REF ? root_of(TREE_OPERAND(base, 0), loads, depth - 1) : base;
	}
	if (SSA_NAME_IS_DEFAULT_DEF(pointer))
		return SSA_NAME_VAR(pointer);
	gimple *made = SSA_NAME_DEF_STMT(pointer);
	if (!is_gimple_assign(made) || (gimple_vuse(made) && !loads))
		return NULL_TREE;
	return root_of(gimple_assign_rhs1(made), loads, depth - 1);
}

static bool is_threads_own(gimple *, tree base, tree, void *)
{
	base = base_of(base);
	return base && VAR_P(base) && DECL_THREAD_LOCAL_P(base);
}

/* What only the thread has that runs the statement. */
static bool uses_threads_own(gimple *statement)
{
	tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
	if (callee && DECL_NAME(callee) &&
	    std::strcmp(IDENTIFIER_POINTER(DECL_NAME(callee)), "__errno_location") == 0)
		return true;
	return walk_stmt_load_store_addr_ops(statement, nullptr, is_threads_own, is_threads_own, is_threads_own);
}

/* ------------------------------------------------------------------------------------- what is used later -- */

/* Variables of the frame that some statements use in memory. */
struct frame_uses {
	std::unordered_set<tree> changed; /* written, or their address given away */
	std::unordered_set<tree> used;
};

static bool note_change(gimple *, tree base, tree, void *uses)
{
	base = base_of(base);
	if (is_local(base)) {
		((frame_uses *)uses)->changed.insert(base);
		((frame_uses *)uses)->used.insert(base);
	}
	return false;
}

static bool note_load(gimple *, tree base, tree, void *uses)
{
	base = base_of(base);
	if (is_local(base))
		((frame_uses *)uses)->used.insert(base);
	return false;
}

static void note_uses(gimple *statement, frame_uses &uses)
{
	if (!is_gimple_debug(statement) && !gimple_clobber_p(statement))
		walk_stmt_load_store_addr_ops(statement, &uses, note_load, note_change, note_change);
}

/* A local variable that the section changes, and that is used outside of it; null: none. */
static tree shared_variable(function *compiled, const critical_section &section)
{
	frame_uses inside, outside;
	for (gimple *statement : section.statements)
		note_uses(statement, inside);
	basic_block basic;
	FOR_EACH_BB_FN(basic, compiled)
	for (gimple_stmt_iterator at = gsi_start_bb(basic); !gsi_end_p(at); gsi_next(&at))
		if (!section.inside.count(gsi_stmt(at)) && is_ordinary(basic))
			note_uses(gsi_stmt(at), outside);
	tree first = NULL_TREE;
	for (tree variable : inside.changed)
		if (outside.used.count(variable) || TREE_CODE(variable) == RESULT_DECL)
			first = !first || DECL_UID(variable) < DECL_UID(first) ? variable : first;
	return first;
}

static bool is_used_outside(tree value, const critical_section &section)
{
	imm_use_iterator iterator;
	use_operand_p use;
	FOR_EACH_IMM_USE_FAST(use, iterator, value)
	if (!is_gimple_debug(USE_STMT(use)) && !section.inside.count(USE_STMT(use)) &&
	    is_ordinary(gimple_bb(USE_STMT(use))))
		return true;
	return false;
}

/* A value that the section computes and that is used behind it; null: none. */
static tree used_value(const critical_section &section)
{
	for (gimple *statement : section.statements) {
		def_operand_p definition;
		ssa_op_iter iterator;
		if (gimple_code(statement) == GIMPLE_PHI) {
			tree value = gimple_phi_result(statement);
			if (!virtual_operand_p(value) && is_used_outside(value, section))
				return value;
			continue;
		}
		FOR_EACH_SSA_DEF_OPERAND(definition, statement, iterator, SSA_OP_DEF)
		if (is_used_outside(DEF_FROM_PTR(definition), section))
			return DEF_FROM_PTR(definition);
	}
	return NULL_TREE;
}

/* What may be written, or given away, through a pointer of the caller that is not what the lock protects. */
struct foreign_pointers {
	tree own, found;
};

static void note_pointer(tree pointer, foreign_pointers &pointers)
{
	if (!pointer || !POINTER_TYPE_P(TREE_TYPE(pointer)))
		return;
	tree root = root_of(pointer, false);
	if (root && root != pointers.own && (TREE_CODE(root) == PARM_DECL || TREE_CODE(root) == RESULT_DECL))
		pointers.found = root;
}

static bool note_write(gimple *, tree base, tree, void *pointers)
{
	base = base_of(base);
	if (base && TREE_CODE(base) == MEM_REF)
		note_pointer(TREE_OPERAND(base, 0), *(foreign_pointers *)pointers);
	return false;
}

static tree foreign_pointer(const critical_section &section)
{
	foreign_pointers pointers = {root_of(section_owner(section), true), NULL_TREE};
	for (gimple *statement : section.statements) {
		walk_stmt_load_store_addr_ops(statement, &pointers, nullptr, note_write, nullptr);
		for (unsigned i = 0; is_gimple_call(statement) && i < gimple_call_num_args(statement); i++) {
			tree argument = gimple_call_arg(statement, i);
			if (POINTER_TYPE_P(TREE_TYPE(argument)) && !TYPE_READONLY(TREE_TYPE(TREE_TYPE(argument))))
				note_pointer(argument, pointers);
		}
	}
	return pointers.found;
}

/* ------------------------------------------------------------------------------------------------ advice -- */

static const char CANNOT[] = "heddle: this section cannot be delegated: ";

/* Whether it is refused; then the compiler has said why. */
static bool refuse_form(const critical_section &section)
{
	const location_t where = gimple_location(section.lock);
	if (gimple_call_lhs(section.lock) && !has_zero_uses(gimple_call_lhs(section.lock)))
		inform(where, "%sits lock may fail", CANNOT);
	else if (section.leaves && gimple_code(section.leaves) == GIMPLE_RETURN)
		inform(where, "%sit leaves the function with the lock held", CANNOT);
	else if (section.leaves)
		inform(where, "%sits lock is taken again before it is given up", CANNOT);
	else if (section.has_no_end)
		inform(where, "%sit has no end", CANNOT);
	else if (section.is_entered)
		inform(where, "%sa part of it also runs without the lock", CANNOT);
	else
		return false;
	return true;
}

/* Likewise. `unseen`: what may switch, for all that is known. */
static bool refuse_conduct(const critical_section &section, judgement &unseen)
{
	const location_t where = gimple_location(section.lock);
	for (gimple *statement : section.statements) {
		if (uses_threads_own(statement)) {
			inform(where, "%sit uses what each thread has of its own", CANNOT);
			return true;
		}
		if (!is_gimple_call(statement))
			continue;
		judgement one = judge_call(statement);
		if (one.what == conduct::switches) {
			inform(where, "%sit switches, in %qD", CANNOT, one.by);
			return true;
		}
		if (one.what == conduct::unseen)
			unseen = one;
	}
	return false;
}

/* Where several ways lead out, the way that was taken is a result. */
static bool has_ways(const critical_section &section)
{
	return section.unlocks.size() > 1;
}

static void advise(function *compiled, const critical_section &section)
{
	const location_t where = gimple_location(section.lock);
	judgement unseen = {conduct::plain, NULL_TREE};
	if (refuse_form(section) || refuse_conduct(section, unseen))
		return;
	static const char AWAITED[] = "heddle: this section can be delegated and awaited: ";
	if (tree value = used_value(section)) {
		tree variable = SSA_NAME_VAR(value);
		if (variable && DECL_NAME(variable))
			inform(where, "%sits result %qD is used", AWAITED, variable);
		else
			inform(where, "%sits result is used", AWAITED);
	} else if (has_ways(section)) {
		inform(where, "%swhat follows depends on where it ends", AWAITED);
	} else if (tree variable = shared_variable(compiled, section)) {
		if (TREE_CODE(variable) == RESULT_DECL || !DECL_NAME(variable))
			inform(where, "%sits result is used", AWAITED);
		else
			inform(where, "%sits result %qD is used", AWAITED, variable);
	} else if (tree pointer = foreign_pointer(section)) {
		if (DECL_NAME(pointer))
			inform(where, "%sit may change what %qD leads to", AWAITED, pointer);
		else
			inform(where, "%sits result is used", AWAITED);
	} else {
		inform(where, "heddle: this section can be delegated detached");
	}
	if (unseen.what == conduct::unseen && unseen.by)
		inform(where, "heddle: if %qD does not switch", unseen.by);
	else if (unseen.what == conduct::unseen)
		inform(where, "heddle: if what it calls through a pointer does not switch");
}

static const pass_data delegable_data = {
    GIMPLE_PASS, "heddle-delegable", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

class delegable_pass : public gimple_opt_pass
{
  public:
	delegable_pass() : gimple_opt_pass(delegable_data, g)
	{
	}

	/* What takes a lock for others has no section of its own. */
	bool gate(function *compiled) override
	{
		return !takes_lock(compiled->decl);
	}

	unsigned execute(function *compiled) override
	{
		for (const critical_section &one : sections_find(compiled))
			advise(compiled, one);
		return 0;
	}
};

opt_pass *delegable_pass_create()
{
	return new delegable_pass;
}

#include "delegable_sections.h"

#include <cctype>
#include <cstring>
#include <string>

#define DEPTH_MAXIMUM 8 /* of an expression that is compared */

/* ---------------------------------------------------------------------------------------- names of locks -- */

static std::string name_of(tree declaration)
{
	return declaration && DECL_NAME(declaration) ? IDENTIFIER_POINTER(DECL_NAME(declaration)) : "";
}

static bool ends_with(const std::string &text, const char *ending)
{
	const size_t length = std::strlen(ending);
	return text.size() >= length && text.compare(text.size() - length, length, ending) == 0;
}

static bool holds(const std::string &text, const char *part)
{
	return text.find(part) != std::string::npos;
}

static bool is_of_readers(const std::string &name)
{
	return holds(name, "try") || holds(name, "Try") || holds(name, "read") || holds(name, "Read") ||
	       holds(name, "shared") || holds(name, "Shared");
}

/* The class of a constructor or destructor. */
static std::string class_of(tree callee)
{
	tree type = DECL_CONTEXT(callee);
	if (!type || !TYPE_P(type) || !TYPE_NAME(type))
		return "";
	tree name = TYPE_NAME(type);
	return name_of(TREE_CODE(name) == TYPE_DECL ? name : NULL_TREE);
}

static bool is_guard(tree callee)
{
	const std::string name = class_of(callee);
	return !is_of_readers(name) && (ends_with(name, "Lock") || ends_with(name, "_lock") ||
	                                ends_with(name, "guard") || ends_with(name, "Guard"));
}

bool takes_lock(tree callee)
{
	if (!callee)
		return false;
	if (DECL_CXX_CONSTRUCTOR_P(callee))
		return is_guard(callee);
	const std::string name = name_of(callee);
	return !is_of_readers(name) && (name == "lock" || ends_with(name, "_lock") || ends_with(name, "Lock"));
}

/* pthread_mutex_lock: pthread_mutex_unlock; Lock: Unlock. */
static std::string name_of_unlock(std::string name)
{
	const size_t at = name.size() - std::strlen("lock");
	const bool capital = name[at] == 'L';
	name[at] = 'l';
	return name.insert(at, capital ? "Un" : "un");
}

/* ------------------------------------------------------------------------------------------ same values -- */

static bool is_same_to(tree one, tree other, int depth)
{
	if (one == other || (one && other && operand_equal_p(one, other, 0)))
		return true;
	if (!one || !other || depth == 0 || TREE_CODE(one) != TREE_CODE(other))
		return false;
	if (TREE_CODE(one) == SSA_NAME) {
		gimple *left = SSA_NAME_DEF_STMT(one), *right = SSA_NAME_DEF_STMT(other);
		if (!is_gimple_assign(left) || !is_gimple_assign(right) ||
		    gimple_assign_rhs_code(left) != gimple_assign_rhs_code(right) ||
		    gimple_num_ops(left) != gimple_num_ops(right))
			return false;
		for (unsigned i = 1; i < gimple_num_ops(left); i++)
			if (!is_same_to(gimple_op(left, i), gimple_op(right, i), depth - 1))
				return false;
		return true;
	}
	if (!EXPR_P(one) || TREE_OPERAND_LENGTH(one) != TREE_OPERAND_LENGTH(other) ||
	    TREE_OPERAND_LENGTH(one) == 0)
		return false;
	for (int i = 0; i < TREE_OPERAND_LENGTH(one); i++)
		if (!is_same_to(TREE_OPERAND(one, i), TREE_OPERAND(other, i), depth - 1))
			return false;
	return true;
}

bool is_same(tree one, tree other)
{
	return is_same_to(one, other, DEPTH_MAXIMUM);
}

/* -------------------------------------------------------------------------------------------- a section -- */

static tree callee_of(gimple *statement)
{
	return is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
}

tree section_lock(const critical_section &section)
{
	return gimple_call_num_args(section.lock) ? gimple_call_arg(section.lock, 0) : NULL_TREE;
}

tree section_owner(const critical_section &section)
{
	const bool guards =
	    DECL_CXX_CONSTRUCTOR_P(gimple_call_fndecl(section.lock)) && gimple_call_num_args(section.lock) > 1;
	return guards ? gimple_call_arg(section.lock, 1) : section_lock(section);
}

static bool is_lock(gimple *statement)
{
	return takes_lock(callee_of(statement)) && gimple_call_num_args(statement) > 0;
}

/* Two locks of one kind, or, in C++, of any. */
static bool gives_up(gimple *statement, const critical_section &section)
{
	tree callee = callee_of(statement), taken = callee_of(section.lock);
	if (!callee || gimple_call_num_args(statement) == 0)
		return false;
	const bool right_name = DECL_CXX_CONSTRUCTOR_P(taken)
	                            ? DECL_CXX_DESTRUCTOR_P(callee) && class_of(callee) == class_of(taken)
	                            : name_of(callee) == name_of_unlock(name_of(taken));
	return right_name && is_same(gimple_call_arg(statement, 0), section_lock(section));
}

static bool is_lock_again(gimple *statement, const critical_section &section)
{
	return is_lock(statement) && callee_of(statement) == callee_of(section.lock) &&
	       is_same(gimple_call_arg(statement, 0), section_lock(section));
}

static void add(critical_section &section, gimple *statement)
{
	section.statements.push_back(statement);
	section.inside.insert(statement);
}

/* Add the rest of a block. Whether the section goes on behind it. */
static bool add_rest(critical_section &section, gimple_stmt_iterator at)
{
	for (; !gsi_end_p(at); gsi_next(&at)) {
		gimple *statement = gsi_stmt(at);
		if (gives_up(statement, section)) {
			section.unlocks.push_back(statement);
			section.inside.insert(statement);
			return false;
		}
		if (is_lock_again(statement, section) || gimple_code(statement) == GIMPLE_RETURN) {
			section.leaves = statement;
			return false;
		}
		if (!is_gimple_debug(statement) && !gimple_clobber_p(statement))
			add(section, statement);
	}
	return true;
}

static void add_phis(critical_section &section, basic_block basic)
{
	for (gphi_iterator at = gsi_start_phis(basic); !gsi_end_p(at); gsi_next(&at))
		add(section, at.phi());
}

static void successors(basic_block basic, std::vector<basic_block> &found)
{
	edge e;
	edge_iterator iterator;
	FOR_EACH_EDGE(e, iterator, basic->succs)
	if (!(e->flags & EDGE_EH) && e->dest->index != EXIT_BLOCK)
		found.push_back(e->dest);
}

/* `visited` are blocks that are in the section from their start. */
static bool is_entered_elsewhere(const critical_section &section,
                                 const std::unordered_set<basic_block> &visited,
                                 const std::unordered_set<basic_block> &gone_through)
{
	for (basic_block basic : visited) {
		edge e;
		edge_iterator iterator;
		FOR_EACH_EDGE(e, iterator, basic->preds)
		if (!(e->flags & EDGE_EH) && !gone_through.count(e->src))
			return true;
	}
	return visited.count(gimple_bb(section.lock)) && section.unlocks.empty();
}

static critical_section follow(gimple *lock)
{
	critical_section section = {lock, {}, {}, {}, nullptr, false, false};
	std::unordered_set<basic_block> visited, gone_through;
	std::vector<basic_block> next;
	gimple_stmt_iterator start = gsi_for_stmt(lock);
	gsi_next(&start);
	if (add_rest(section, start)) {
		gone_through.insert(gimple_bb(lock));
		successors(gimple_bb(lock), next);
	}
	while (!next.empty()) {
		basic_block basic = next.back();
		next.pop_back();
		if (!visited.insert(basic).second)
			continue;
		add_phis(section, basic);
		if (add_rest(section, gsi_start_bb(basic))) {
			gone_through.insert(basic);
			successors(basic, next);
		}
	}
	section.has_no_end = section.unlocks.empty();
	section.is_entered = is_entered_elsewhere(section, visited, gone_through);
	return section;
}

/* The blocks of one function, which is asked about again and again. */
bool is_ordinary(basic_block basic)
{
	static tree known;
	static std::unordered_set<basic_block> found;
	if (known != cfun->decl) {
		known = cfun->decl;
		found.clear();
		std::vector<basic_block> next;
		successors(ENTRY_BLOCK_PTR_FOR_FN(cfun), next);
		while (!next.empty()) {
			basic_block one = next.back();
			next.pop_back();
			if (found.insert(one).second)
				successors(one, next);
		}
	}
	return found.count(basic) > 0;
}

std::vector<critical_section> sections_find(function *compiled)
{
	std::vector<critical_section> found;
	basic_block basic;
	FOR_EACH_BB_FN(basic, compiled)
	for (gimple_stmt_iterator at = gsi_start_bb(basic); !gsi_end_p(at); gsi_next(&at))
		if (is_lock(gsi_stmt(at)))
			found.push_back(follow(gsi_stmt(at)));
	return found;
}

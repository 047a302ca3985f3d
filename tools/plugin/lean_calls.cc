#include "lean_calls.h"

#include <string>
#include <vector>

#include "attributes.h"
#include "counter.h"
#include "preserve_none.h"

/* A sibling call stays an ordinary jump: the function that it leaves must preserve registers. */
static tree callee_that_returns(const rtx_insn *insn)
{
	return CALL_P(insn) && !SIBLING_CALL_P(insn) ? callee_of(insn) : NULL_TREE;
}

static bool is_lean(const rtx_insn *insn)
{
	tree callee = callee_that_returns(insn);
	return callee && lean_entry(callee);
}

static bool loses_registers(const rtx_insn *insn)
{
	tree callee = callee_that_returns(insn);
	return callee && (lean_entry(callee) || preserves_none(callee));
}

static std::vector<rtx_insn *> calls_where(bool (*is_one)(const rtx_insn *), function *compiled)
{
	std::vector<rtx_insn *> found;
	basic_block basic;
	FOR_EACH_BB_FN(basic, compiled)
	{
		rtx_insn *insn;
		FOR_BB_INSNS(basic, insn)
		if (is_one(insn))
			found.push_back(insn);
	}
	return found;
}

static const pass_data lean_calls_data = {RTL_PASS, "heddle-lean-calls", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0,
                                          0};

class lean_calls_pass : public rtl_opt_pass
{
  public:
	lean_calls_pass() : rtl_opt_pass(lean_calls_data, g)
	{
	}

	unsigned execute(function *compiled) override
	{
		preserve_none_begin(compiled);
		for (rtx_insn *call : calls_where(loses_registers, compiled)) {
			for (unsigned lost : lost_registers) {
				rtx clobber = gen_rtx_CLOBBER(VOIDmode, gen_rtx_REG(DImode, lost));
				CALL_INSN_FUNCTION_USAGE(call) =
				    gen_rtx_EXPR_LIST(VOIDmode, clobber, CALL_INSN_FUNCTION_USAGE(call));
			}
		}
		return 0;
	}
};

rtl_opt_pass *lean_calls_pass_create()
{
	return new lean_calls_pass;
}

/* Where the call's value is needed afterwards; null: nowhere. */
static rtx value_of(rtx_insn *call)
{
	rtx set = single_set(call);
	return set && !find_reg_note(call, REG_UNUSED, SET_DEST(set)) ? SET_DEST(set) : nullptr;
}

static std::string text_of(const std::string &entry, bool has_value)
{
	std::string jump =
	    "{leaq\t1f(%%rip), %%rax|lea\trax, 1f[rip]}\n\t{pushq\t%%rax|push\trax}\n\tjmp\t" + entry + "\n1:";
	return has_value ? jump + "\n\tcall\t" + entry + "_outcome" : jump;
}

static rtx jump_for(rtx_insn *call)
{
	rtx value = value_of(call);
	return assembly_make(text_of(lean_entry(callee_of(call)), value), nullptr, value);
}

void lean_calls_emit(function *compiled)
{
	std::vector<rtx_insn *> calls = calls_where(is_lean, compiled);
	if (calls.empty())
		return;
	df_note_add_problem();
	df_analyze();
	for (rtx_insn *call : calls) {
		rtx_insn *jump = emit_insn_before(jump_for(call), call);
		INSN_LOCATION(jump) = INSN_LOCATION(call);
		delete_insn(call);
	}
}

#include "counter.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "attributes.h"
#include "landings.h"
#include "options.h"

#define COUNTER_NAME "r15"
#define COUNTER      R15_REG
#define PLACE        "%gs:heddle_processor_base+16(%rip)"
#define PLACE_ATT    "%%gs:heddle_processor_base+16(%%rip)"
#define PLACE_INTEL  "DWORD PTR gs:heddle_processor_base[rip+16]"
#define STORE        "{movl\t%%r15d, " PLACE_ATT "|mov\t" PLACE_INTEL ", r15d}"
#define LOAD         "{movl\t" PLACE_ATT ", %%r15d|mov\tr15d, " PLACE_INTEL "}"

static std::string constant(unsigned charge)
{
	return std::to_string(std::min(charge, (unsigned)BOUND_MAXIMUM));
}

static std::string counter_compare(unsigned charge)
{
	std::string count = constant(charge);
	if (options.polls)
		return "{cmpl\t$0, " PLACE_ATT "|cmp\t" PLACE_INTEL ", 0}\n";
	return "{subw\t$" + count + ", %%r15w|sub\tr15w, " + count + "}\n";
}

std::string counter_check(unsigned charge, counter_end end)
{
	const char *counted = end == counter_end::sign ? "\tjl\t%l0" : "\tjo\t%l0";
	return counter_compare(charge) + (options.polls ? "\tjle\t%l0" : counted);
}

std::string counter_check_in_jump(unsigned charge)
{
	return counter_compare(charge) + (options.polls ? "\tjg\t%l0" : "\tjno\t%l0");
}

std::string counter_store_text()
{
	return options.polls ? "" : "\tmovl\t%r15d, " PLACE "\n";
}

std::string counter_load_text()
{
	return "\tmovl\t" PLACE ", %r15d\n";
}

std::string counter_check_text(unsigned charge)
{
	if (options.polls)
		return "\tcmpl\t$0, " PLACE "\n\tjg\t1f\n";
	return "\tsubw\t$" + constant(charge) + ", %r15w\n\tjno\t1f\n";
}

void counter_reserve()
{
	fix_register(COUNTER_NAME, 1, 1);
}

bool counter_is_untouched(function *compiled)
{
	bool untouched = true;
	basic_block basic;
	FOR_EACH_BB_FN(basic, compiled)
	{
		rtx_insn *insn;
		FOR_BB_INSNS(basic, insn)
		{
			if (!NONDEBUG_INSN_P(insn) || CALL_P(insn) || !reg_set_p(gen_rtx_REG(DImode, COUNTER), insn))
				continue;
			error_at(INSN_LOCATION(insn),
			         "heddle: this changes register %qs, which counts the instructions of the quantum",
			         COUNTER_NAME);
			untouched = false;
		}
	}
	return untouched;
}

static rtx operands_make(const char *text, rtvec labels, rtx value = nullptr)
{
	rtx operands =
	    gen_rtx_ASM_OPERANDS(value ? GET_MODE(value) : VOIDmode, ggc_strdup(text), value ? "=r" : "", 0,
	                         rtvec_alloc(0), rtvec_alloc(0), labels, UNKNOWN_LOCATION);
	MEM_VOLATILE_P(operands) = 1;
	return operands;
}

rtx assembly_make(const std::string &text, rtx_code_label *label, rtx value)
{
	rtvec labels = label ? gen_rtvec(1, gen_rtx_LABEL_REF(Pmode, label)) : rtvec_alloc(0);
	rtx flags = gen_rtx_CLOBBER(VOIDmode, gen_rtx_REG(CCmode, FLAGS_REG));
	rtx statement = operands_make(text.c_str(), labels, value);
	if (value)
		statement = gen_rtx_SET(value, statement);
	return gen_rtx_PARALLEL(VOIDmode, gen_rtvec(2, statement, flags));
}

/* A move that leaves the flags alone too. */
static rtx move_make(const char *text)
{
	return operands_make(text, rtvec_alloc(0));
}

static bool is_move(const rtx_insn *insn, const char *text)
{
	return insn && NONDEBUG_INSN_P(insn) && GET_CODE(PATTERN(insn)) == ASM_OPERANDS &&
	       std::strcmp(ASM_OPERANDS_TEMPLATE(PATTERN(insn)), text) == 0;
}

static void emit_load_behind(rtx_insn *call)
{
	basic_block basic = BLOCK_FOR_INSN(call);
	if (call != BB_END(basic)) {
		emit_insn_after(move_make(LOAD), call);
		return;
	}
	edge next = find_fallthru_edge(basic->succs);
	if (!next)
		return;
	basic_block behind = split_edge(next);
	emit_insn_after(move_make(LOAD), BB_END(behind));
}

struct hand_over {
	rtx_insn *call;
	bool store, load;
};

bool is_real_call(const rtx_insn *insn)
{
	rtx call = CALL_P(insn) ? get_call_rtx_from(insn) : nullptr;
	return CALL_P(insn) && !(call && CONST_INT_P(XEXP(XEXP(call, 0), 0)));
}

tree callee_of(const rtx_insn *insn)
{
	rtx call = get_call_rtx_from(insn);
	rtx target = call ? XEXP(XEXP(call, 0), 0) : nullptr;
	tree callee = target && GET_CODE(target) == SYMBOL_REF ? SYMBOL_REF_DECL(target) : NULL_TREE;
	return callee && TREE_CODE(callee) == FUNCTION_DECL ? callee : NULL_TREE;
}

bool counter_is_moved(const rtx_insn *insn)
{
	return is_move(insn, LOAD) || is_move(insn, STORE);
}

bool counter_is_in_block(const rtx_insn *before)
{
	return is_move(before, LOAD) ||
	       is_move(prev_nonnote_nondebug_insn(const_cast<rtx_insn *>(before)), STORE);
}

/* What an exception comes to has the counter in the register still, and hands it over itself (landings.h). */
static bool leaves_by_exception(tree callee)
{
	const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(callee));
	return std::strcmp(name, "__cxa_throw") == 0 || std::strcmp(name, "__cxa_rethrow") == 0 ||
	       std::strcmp(name, "_Unwind_Resume") == 0 ||
	       (std::strncmp(name, "_ZSt", 4) == 0 && std::strstr(name, "__throw_"));
}

static hand_over hand_over_of(rtx_insn *call)
{
	tree callee = callee_of(call);
	bool returns_twice = find_reg_note(call, REG_SETJMP, NULL_RTX) != NULL_RTX;
	bool returns_never =
	    find_reg_note(call, REG_NORETURN, NULL_RTX) && !(callee && leaves_by_exception(callee));
	bool looks_at_it = callee && hands_over_counter(callee) && !is_landing(callee);
	return {call, returns_twice || returns_never || looks_at_it,
	        returns_twice || (looks_at_it && !returns_never)};
}

void counter_hand_over(function *compiled)
{
	std::vector<hand_over> found;
	basic_block basic;
	FOR_EACH_BB_FN(basic, compiled)
	{
		rtx_insn *insn;
		FOR_BB_INSNS(basic, insn)
		if (CALL_P(insn))
			if (hand_over one = hand_over_of(insn); one.store)
				found.push_back(one);
	}
	for (const hand_over &one : found) {
		if (!options.polls)
			emit_insn_before(move_make(STORE), one.call);
		if (one.load && !SIBLING_CALL_P(one.call))
			emit_load_behind(one.call);
	}
}

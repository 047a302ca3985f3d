#include "pointers.h"

#include "calls.h"
#include "cold.h"
#include "counter.h"
#include "entries.h"

std::string entry_code_offset()
{
	return (flag_cf_protection & CF_BRANCH) ? "4" : "";
}

static bool is_free_at(const rtx_insn *call, unsigned reg)
{
	return !find_regno_fusage(call, USE, reg);
}

/* A register for the address of the call that it may change and that holds no argument. */
static unsigned free_register(const rtx_insn *call)
{
	return is_free_at(call, R10_REG) ? R10_REG : is_free_at(call, AX_REG) ? AX_REG : INVALID_REGNUM;
}

static const char *register_name(unsigned reg)
{
	return reg == R10_REG ? "r10" : "rax";
}

static rtx &address_of(rtx_insn *call)
{
	return XEXP(XEXP(get_call_rtx_from(call), 0), 0);
}

/* Drop the note on a jump through memory that the compiler made of a load and a jump. */
static void drop_origin(rtx_insn *call)
{
	rtx pattern = PATTERN(call);
	if (GET_CODE(pattern) == PARALLEL && XVECLEN(pattern, 0) == 2 &&
	    GET_CODE(XVECEXP(pattern, 0, 1)) == UNSPEC && XINT(XVECEXP(pattern, 0, 1), 1) == UNSPEC_PEEPSIB)
		PATTERN(call) = XVECEXP(pattern, 0, 0);
}

/* Make the call go by a register. */
static void go_by(rtx_insn *call, unsigned reg)
{
	drop_origin(call);
	rtx target = gen_rtx_REG(Pmode, reg), place = XEXP(get_call_rtx_from(call), 0);
	emit_insn_before(gen_rtx_SET(target, copy_rtx(address_of(call))), call);
	XEXP(get_call_rtx_from(call), 0) = replace_equiv_address_nv(place, target);
	INSN_CODE(call) = -1;
	df_insn_rescan(call);
}

/* The label is a note, which may stand in the middle of a block: nothing can come between it and the call. */
static std::string label_behind(rtx_insn *call)
{
	basic_block basic = BLOCK_FOR_INSN(call);
	bool last = BB_END(basic) == call;
	int number = CODE_LABEL_NUMBER(gen_label_rtx());
	rtx_note *note = emit_note_after(NOTE_INSN_DELETED, call);
	NOTE_KIND(note) = NOTE_INSN_DELETED_LABEL;
	NOTE_DELETED_LABEL_NAME(note) = "";
	CODE_LABEL_NUMBER(note) = number;
	if (last)
		BB_END(basic) = call;
	return LOCAL_LABEL_PREFIX "L" + std::to_string(number);
}

static std::string token_text(rtx_insn *call)
{
	if (SIBLING_CALL_P(call))
		return "{movq\t(%%rsp), %%r11|mov\tr11, QWORD PTR [rsp]}";
	std::string label = label_behind(call);
	return "{leaq\t" + label + "(%%rip), %%r11|lea\tr11, " + label + "[rip]}";
}

static void emit_token(rtx_insn *call)
{
	rtx_insn *token = emit_insn_before(assembly_make(token_text(call), nullptr), call);
	INSN_LOCATION(token) = INSN_LOCATION(call);
}

static std::string look_text(const std::string &reg)
{
	std::string offset = entry_code_offset(), plus = offset.empty() ? "" : "+" + offset;
	return "{cmpl\t$" ENTRY_CODE ", " + offset + "(%%" + reg + ")|cmp\tDWORD PTR [" + reg + plus +
	       "], " ENTRY_CODE "}\n\tjne\t%l0";
}

static rtx way_text(const std::string &reg, HOST_WIDE_INT bytes)
{
	std::string way = foreign_way(bytes);
	return assembly_make("{movq\t%%" + reg + ", %%r11|mov\tr11, " + reg + "}\n\t{leaq\t" + way +
	                         "(%%rip), %%" + reg + "|lea\t" + reg + ", " + way + "[rip]}",
	                     nullptr);
}

static void emit_look(rtx_insn *call, unsigned reg, cold_ends &ends)
{
	HOST_WIDE_INT bytes = INTVAL(XEXP(get_call_rtx_from(call), 1));
	basic_block before = BLOCK_FOR_INSN(call);
	basic_block back = split_block(before, PREV_INSN(call))->dest;
	start_sequence();
	emit_insn(way_text(register_name(reg), bytes));
	rtx_insn *sequence = get_insns();
	end_sequence();
	cold_emit(ends, {before, back, look_text(register_name(reg)), sequence, INSN_LOCATION(call)});
}

static void emit_call(rtx_insn *call, cold_ends &ends)
{
	unsigned reg = free_register(call);
	const_rtx address = address_of(call);
	bool is_there = REG_P(address) && REGNO(address) == reg;
	bool must = flag_split_stack || reg_mentioned_p(gen_rtx_REG(Pmode, R11_REG), address);
	if (reg == INVALID_REGNUM)
		return;
	if (must && !is_there)
		go_by(call, reg);
	emit_token(call);
	if (flag_split_stack)
		emit_look(call, reg, ends);
}

unsigned call_extra(const rtx_insn *call)
{
	rtx called = get_call_rtx_from(call);
	if (unit_is_bare() || !called)
		return 0;
	if (GET_CODE(XEXP(XEXP(called, 0), 0)) == SYMBOL_REF)
		return flag_split_stack && INTVAL(XEXP(called, 1)) > 0;
	return flag_split_stack ? 4 : 2;
}

void calls_by_address_emit(const std::vector<rtx_insn *> &calls)
{
	cold_ends ends;
	for (rtx_insn *call : calls)
		emit_call(call, ends);
}

#include "growth.h"

#include <cstring>

#include "attributes.h"

#define FRAME_SIZE R10_REG /* what the compiler hands to __morestack, */
#define DEEP_STACK 704     /* with what every function has that suffices for DEEP ones (tools/depth) */
#define SCRATCH    R11_REG /* and what is free before that */

bool is_growth(const rtx_insn *insn)
{
	rtx call = get_call_rtx_from(insn);
	rtx target = call ? XEXP(XEXP(call, 0), 0) : nullptr;
	return target && GET_CODE(target) == SYMBOL_REF && std::strcmp(XSTR(target, 0), "__morestack") == 0;
}

/* Where the bytes of the frame are set, right before the call; null: the stack does not grow. */
static rtx frame_size_of(function *compiled)
{
	rtx size = nullptr;
	basic_block basic;
	FOR_EACH_BB_FN(basic, compiled)
	{
		rtx_insn *insn;
		FOR_BB_INSNS(basic, insn)
		{
			if (!NONDEBUG_INSN_P(insn))
				continue;
			if (CALL_P(insn) && is_growth(insn))
				return size;
			rtx set = single_set(insn);
			if (set && REG_P(SET_DEST(set)) && REGNO(SET_DEST(set)) == FRAME_SIZE)
				size = CONST_INT_P(SET_SRC(set)) ? set : nullptr;
		}
	}
	return nullptr;
}

static bool calls_deep(function *compiled)
{
	basic_block basic;
	FOR_EACH_BB_FN(basic, compiled)
	{
		rtx_insn *insn;
		FOR_BB_INSNS(basic, insn)
		{
			rtx call = CALL_P(insn) ? get_call_rtx_from(insn) : nullptr;
			rtx target = call ? XEXP(XEXP(call, 0), 0) : nullptr;
			tree callee = target && GET_CODE(target) == SYMBOL_REF ? SYMBOL_REF_DECL(target) : NULL_TREE;
			if (callee && TREE_CODE(callee) == FUNCTION_DECL && is_deep(callee))
				return true;
		}
	}
	return false;
}

/* The comparison of the stack pointer with the limit; null: this is none. */
static rtx comparison_of(rtx_insn *insn)
{
	rtx set = NONDEBUG_INSN_P(insn) && !CALL_P(insn) ? single_set(insn) : nullptr;
	rtx compared = set && GET_CODE(SET_SRC(set)) == COMPARE ? SET_SRC(set) : nullptr;
	if (!compared || XEXP(compared, 0) != stack_pointer_rtx || !MEM_P(XEXP(compared, 1)))
		return nullptr;
	rtx limit = XEXP(compared, 1);
	return CONST_INT_P(XEXP(limit, 0)) && !ADDR_SPACE_GENERIC_P(MEM_ADDR_SPACE(limit)) ? compared : nullptr;
}

void growth_compare_frame(function *compiled)
{
	rtx frame = flag_split_stack ? frame_size_of(compiled) : nullptr;
	HOST_WIDE_INT size = frame ? INTVAL(SET_SRC(frame)) + (calls_deep(compiled) ? DEEP_STACK : 0) : 0;
	if (size == 0)
		return;
	basic_block basic;
	FOR_EACH_BB_FN(basic, compiled)
	{
		rtx_insn *insn;
		FOR_BB_INSNS(basic, insn)
		{
			rtx compared = comparison_of(insn);
			if (!compared)
				continue;
			rtx scratch = gen_rtx_REG(Pmode, SCRATCH);
			emit_insn_before(gen_rtx_SET(scratch, plus_constant(Pmode, stack_pointer_rtx, -size)), insn);
			XEXP(compared, 0) = scratch;
			INSN_CODE(insn) = -1;
			df_insn_rescan(insn);
			SET_SRC(frame) = GEN_INT(size);
			return;
		}
	}
}

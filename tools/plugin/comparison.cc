#include "comparison.h"

rtx comparison_of(rtx_insn *insn)
{
	rtx set = NONDEBUG_INSN_P(insn) && !CALL_P(insn) ? single_set(insn) : nullptr;
	rtx compared = set && GET_CODE(SET_SRC(set)) == COMPARE ? SET_SRC(set) : nullptr;
	if (!compared || !REG_P(XEXP(compared, 0)) || !MEM_P(XEXP(compared, 1)))
		return nullptr;
	rtx limit = XEXP(compared, 1);
	return CONST_INT_P(XEXP(limit, 0)) && !ADDR_SPACE_GENERIC_P(MEM_ADDR_SPACE(limit)) ? compared : nullptr;
}

/* Where a comparison leads if there is no room; null: it is not known. */
static edge edge_without_room(basic_block basic)
{
	rtx jump = any_condjump_p(BB_END(basic)) ? pc_set(BB_END(basic)) : nullptr;
	if (!jump || GET_CODE(XEXP(SET_SRC(jump), 1)) != LABEL_REF)
		return nullptr;
	rtx_code condition = GET_CODE(XEXP(SET_SRC(jump), 0));
	return condition == LTU ? BRANCH_EDGE(basic) : condition == GEU ? FALLTHRU_EDGE(basic) : nullptr;
}

static void emit_step(rtx_insn *before, rtx reg, HOST_WIDE_INT bytes)
{
	if (bytes != 0)
		emit_insn_before(gen_rtx_SET(copy_rtx(reg), plus_constant(Pmode, reg, bytes)), before);
}

/* Jump at the end of a block to where an edge from elsewhere leads, if the flags say "above". */
static void emit_jump_if_above(basic_block basic, edge grows)
{
	rtx above = gen_rtx_GTU(VOIDmode, gen_rtx_REG(CCmode, FLAGS_REG), const0_rtx);
	rtx_code_label *label = block_label(grows->dest);
	rtx target = gen_rtx_IF_THEN_ELSE(VOIDmode, above, gen_rtx_LABEL_REF(Pmode, label), pc_rtx);
	rtx_insn *jump = emit_jump_insn_after(gen_rtx_SET(pc_rtx, target), BB_END(basic));
	const int crosses = grows->flags & EDGE_CROSSING;
	JUMP_LABEL(jump) = label;
	LABEL_NUSES(label)++;
	CROSSING_JUMP_P(jump) = crosses != 0;
	single_succ_edge(basic)->probability = profile_probability::very_likely();
	make_edge(basic, grows->dest, crosses)->probability = profile_probability::very_unlikely();
}

void comparison_refuse_wrapped(rtx_insn *comparison, HOST_WIDE_INT room)
{
	edge grows = edge_without_room(BLOCK_FOR_INSN(comparison));
	if (!grows)
		return;
	rtx reg = XEXP(comparison_of(comparison), 0), flags = gen_rtx_REG(CCmode, FLAGS_REG);
	emit_step(comparison, reg, -room);
	emit_insn_before(gen_rtx_SET(flags, gen_rtx_COMPARE(CCmode, copy_rtx(reg), stack_pointer_rtx)),
	                 comparison);
	emit_step(comparison, reg, room);
	edge next = split_block(BLOCK_FOR_INSN(comparison), PREV_INSN(comparison));
	emit_jump_if_above(next->src, grows);
}

void comparison_leave_room(rtx_insn *comparison, HOST_WIDE_INT room)
{
	rtx reg = XEXP(comparison_of(comparison), 0);
	comparison_refuse_wrapped(comparison, room);
	if (!room)
		return;
	emit_step(comparison, reg, -room);
	emit_insn_after(gen_rtx_SET(copy_rtx(reg), plus_constant(Pmode, reg, room)), comparison);
}

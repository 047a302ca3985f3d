#include "cold.h"

#include "counter.h"

#define NEAR 26 /* instructions */

basic_block &cold_ends::of(basic_block basic)
{
	basic_block &last = ends[BB_PARTITION(basic)];
	if (!last)
		last = basic;
	while (last->next_bb != EXIT_BLOCK_PTR_FOR_FN(cfun) && BB_PARTITION(last->next_bb) == BB_PARTITION(basic))
		last = last->next_bb;
	return last;
}

/* The first later block that nothing falls through, if it is so near that short jumps reach there and back; null:
 * none. */
static basic_block end_near(basic_block from)
{
	unsigned between = 0;
	for (basic_block basic = from; basic != EXIT_BLOCK_PTR_FOR_FN(cfun); basic = basic->next_bb) {
		rtx_insn *insn;
		if (BB_PARTITION(basic) != BB_PARTITION(from))
			break;
		if (basic != from)
			FOR_BB_INSNS(basic, insn)
		between += NONDEBUG_INSN_P(insn);
		if (between > NEAR)
			break;
		if (!find_fallthru_edge(basic->succs))
			return basic;
	}
	return nullptr;
}

/* The last instruction of a block, including its jump table. */
static rtx_insn *end_of(basic_block last)
{
	rtx_insn *insn = BB_END(last);
	for (rtx_insn *next = NEXT_INSN(insn);
	     next && (BARRIER_P(next) || JUMP_TABLE_DATA_P(next) || LABEL_P(next)); next = NEXT_INSN(next))
		if (!LABEL_P(next) || (NEXT_INSN(next) && JUMP_TABLE_DATA_P(NEXT_INSN(next))))
			insn = next;
		else
			break;
	return insn;
}

static void use_label(rtx_insn *jump, rtx_code_label *label)
{
	JUMP_LABEL(jump) = label;
	LABEL_NUSES(label)++;
}

static basic_block emit_out_of_line(cold_ends &ends, const cold_branch &branch, rtx_code_label *label)
{
	basic_block near = end_near(branch.from);
	basic_block last = near ? near : ends.of(branch.from);
	rtx_insn *end = end_of(last);
	start_sequence();
	emit_label(label);
	emit_insn(branch.instructions);
	rtx_insn *jump = emit_jump_insn(gen_rtx_SET(pc_rtx, gen_rtx_LABEL_REF(Pmode, block_label(branch.back))));
	use_label(jump, block_label(branch.back));
	emit_barrier();
	rtx_insn *sequence = get_insns();
	end_sequence();
	for (rtx_insn *insn = sequence; insn; insn = NEXT_INSN(insn))
		if (INSN_P(insn))
			INSN_LOCATION(insn) = branch.location;
	emit_insn_after(sequence, end);
	basic_block cold = create_basic_block(label, jump, last);
	BB_COPY_PARTITION(cold, branch.from);
	return cold;
}

void cold_emit(cold_ends &ends, const cold_branch &branch)
{
	edge next = find_edge(branch.from, branch.back);
	rtx_code_label *label = gen_label_rtx();
	rtx_insn *jump = emit_jump_insn_after(assembly_make(branch.jump, label), BB_END(branch.from));
	INSN_LOCATION(jump) = branch.location;
	use_label(jump, label);
	basic_block cold = emit_out_of_line(ends, branch, label);
	cold->count = branch.from->count.apply_probability(profile_probability::very_unlikely());
	make_edge(branch.from, cold, 0)->probability = profile_probability::very_unlikely();
	next->probability = profile_probability::very_likely();
	make_single_succ_edge(cold, branch.back, 0);
}

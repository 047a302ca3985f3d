#include "array_reads.h"

#include "rtl-iter.h"

#include "accesses.h"

static void add(HARD_REG_SET *all, const_rtx one)
{
	add_to_hard_reg_set(all, GET_MODE(one), REGNO(one));
}

static bool uses_any(const_rtx expression, const HARD_REG_SET &wanted)
{
	subrtx_iterator::array_type array;
	FOR_EACH_SUBRTX(iterator, array, expression, NONCONST)
	if (REG_P(*iterator) && overlaps_hard_reg_set_p(wanted, GET_MODE(*iterator), REGNO(*iterator)))
		return true;
	return false;
}

/* Whether what it computes depends on any of them. */
static bool depends_on_any(const_rtx pattern, const HARD_REG_SET &wanted)
{
	if (GET_CODE(pattern) == SET)
		return uses_any(SET_SRC(pattern), wanted);
	if (GET_CODE(pattern) != PARALLEL)
		return false;
	for (int i = 0; i < XVECLEN(pattern, 0); i++)
		if (depends_on_any(XVECEXP(pattern, 0, i), wanted))
			return true;
	return false;
}

/* What an instruction sets, as note_stores() tells it. */
static void note_set(rtx target, const_rtx, void *all)
{
	if (REG_P(target))
		add((HARD_REG_SET *)all, target);
}

static HARD_REG_SET set_by(const rtx_insn *insn)
{
	HARD_REG_SET all;
	CLEAR_HARD_REG_SET(all);
	if (CALL_P(insn))
		all = crtl->abi->full_reg_clobbers();
	note_stores(insn, note_set, &all);
	return all;
}

/* Whether nothing about its results is known ahead. */
static bool is_opaque(const rtx_insn *insn)
{
	return CALL_P(insn) || asm_noperands(PATTERN(insn)) >= 0 || contains_mem_rtx_p(PATTERN(insn));
}

array_reads::registers array_reads::find(class loop *loop)
{
	registers found;
	CLEAR_HARD_REG_SET(found.set);
	CLEAR_HARD_REG_SET(found.unknown);
	basic_block *body = get_loop_body(loop);
	for (bool changed = true; changed;) {
		const HARD_REG_SET before = found.unknown;
		for (unsigned i = 0; i < loop->num_nodes; i++) {
			rtx_insn *insn;
			FOR_BB_INSNS(body[i], insn)
			{
				if (!NONDEBUG_INSN_P(insn))
					continue;
				const HARD_REG_SET set = set_by(insn);
				found.set |= set;
				if (is_opaque(insn) || depends_on_any(PATTERN(insn), found.unknown))
					found.unknown |= set;
			}
		}
		changed = found.unknown != before;
	}
	free(body);
	return found;
}

array_reads::array_reads(function *compiled)
{
	loop_optimizer_init(AVOID_CFG_MODIFICATIONS);
	std::map<const class loop *, registers> of;
	basic_block basic;
	FOR_EACH_BB_FN(basic, compiled)
	{
		class loop *loop = basic->loop_father;
		if (!loop_outer(loop))
			continue;
		if (!of.count(loop))
			of[loop] = find(loop);
		in_loop[basic->index] = of[loop];
	}
	loop_optimizer_finalize();
	free_dominance_info(CDI_DOMINATORS);
}

bool array_reads::has(basic_block basic, const_rtx address) const
{
	auto found = in_loop.find(basic->index);
	return found != in_loop.end() && uses_any(address, found->second.set) &&
	       !uses_any(address, found->second.unknown);
}

#include "live.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "rtl-iter.h"

#include "options.h"

#define BIT_X87          9
#define BIT_VECTOR       10
#define BIT_VECTOR_WIDTH 26
#define VECTORS_FIRST    16 /* in the first word */
#define BIT_MASK         16 /* of the second word */

/* The order of their bits. The other general registers are preserved by every function. These count as live anywhere:
 * a check saves all of them at once, which is quickest, and with fewer sets there is less code that names one. */
static const unsigned general_registers[] = {AX_REG, CX_REG, DX_REG,  SI_REG, DI_REG,
                                             R8_REG, R9_REG, R10_REG, R11_REG};

static unsigned vector_register(unsigned number)
{
	return number < 8    ? FIRST_SSE_REG + number
	       : number < 16 ? FIRST_REX_SSE_REG + number - 8
	                     : FIRST_EXT_REX_SSE_REG + number - 16;
}

/* A function may preserve more than is usual for its caller (ms_abi): what it does not use is not live in it. */
bool live_registers::is_preserved_for_caller(unsigned reg) const
{
	return !abi->clobbers_full_reg_p(reg) && !fixed_regs[reg];
}

void live_registers::look_at(const_rtx part)
{
	subrtx_iterator::array_type array;
	FOR_EACH_SUBRTX(iterator, array, part, NONCONST)
	{
		if (!REG_P(*iterator))
			continue;
		unsigned reg = REGNO(*iterator);
		if (SSE_REGNO_P(reg))
			vector_bits =
			    std::max(vector_bits, (unsigned)GET_MODE_BITSIZE(GET_MODE(*iterator)).to_constant());
		uses_x87 |= STACK_REGNO_P(reg);
		uses_mmx |= MMX_REGNO_P(reg);
	}
}

/* An argument that is only passed on is nowhere but in what the call says that it uses. */
live_registers::live_registers(function *compiled) : abi(crtl->abi)
{
	basic_block basic;
	FOR_EACH_BB_FN(basic, compiled)
	{
		rtx_insn *insn;
		FOR_BB_INSNS(basic, insn)
		{
			if (!NONDEBUG_INSN_P(insn))
				continue;
			look_at(PATTERN(insn));
			if (CALL_P(insn))
				for (rtx used = CALL_INSN_FUNCTION_USAGE(insn); used; used = XEXP(used, 1))
					look_at(XEXP(used, 0));
		}
	}
}

/* Behind the compiler's pass that makes a stack of them, the registers' numbers are places on it. So what is
 * live is found out before: these are the instructions of the function, by their numbers, before which nothing
 * is. What that pass adds is not among them. */
static std::unordered_set<int> nothing_on_x87;

static void find_nothing_on_x87(basic_block basic)
{
	bitmap live = BITMAP_ALLOC(nullptr);
	rtx_insn *insn;
	bitmap_copy(live, DF_LR_OUT(basic));
	df_simulate_initialize_backwards(basic, live);
	FOR_BB_INSNS_REVERSE(basic, insn)
	{
		if (!INSN_P(insn))
			continue;
		df_simulate_one_insn_backwards(basic, insn, live);
		bool any = false;
		for (unsigned reg = FIRST_STACK_REG; reg <= LAST_STACK_REG; reg++)
			any |= bitmap_bit_p(live, reg);
		if (!any)
			nothing_on_x87.insert(INSN_UID(insn));
	}
	BITMAP_FREE(live);
}

static const pass_data x87_data = {RTL_PASS, "heddle-x87", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0};

class x87_pass : public rtl_opt_pass
{
  public:
	x87_pass() : rtl_opt_pass(x87_data, g)
	{
	}

	unsigned execute(function *compiled) override
	{
		basic_block basic;
		nothing_on_x87.clear();
		df_analyze();
		bool used = false;
		for (unsigned reg = FIRST_STACK_REG; reg <= LAST_STACK_REG; reg++)
			used |= df_regs_ever_live_p(reg);
		if (!used)
			return 0;
		FOR_EACH_BB_FN(basic, compiled)
		find_nothing_on_x87(basic);
		return 0;
	}
};

rtl_opt_pass *x87_pass_create()
{
	return new x87_pass;
}

/* MMX registers are the same registers, and are in use until an instruction says that they are not. */
bool live_registers::is_x87_live(const rtx_insn *before) const
{
	bool omitted = options.omit >= 0 && STACK_REGNO_P(options.omit);
	return before && !omitted && (uses_mmx || (uses_x87 && !nothing_on_x87.count(INSN_UID(before))));
}

live_words live_registers::words(const_bitmap live, const rtx_insn *before) const
{
	live_words result = {0, 0};
	auto is_live = [&](unsigned reg) {
		return (int)reg != options.omit && (bitmap_bit_p(live, reg) || is_preserved_for_caller(reg));
	};
	for (unsigned i = 0; i < std::size(general_registers); i++)
		result.first |= (uint32_t)((int)general_registers[i] != options.omit) << i;
	if (is_x87_live(before))
		result.first |= UINT32_C(1) << BIT_X87;
	for (unsigned i = 0; i < 16; i++) {
		result.first |= (uint32_t)is_live(vector_register(i)) << (BIT_VECTOR + i);
		if (TARGET_AVX512F)
			result.second |= (uint32_t)is_live(vector_register(VECTORS_FIRST + i)) << i;
	}
	if (TARGET_AVX512F)
		for (unsigned i = 0; i < 8; i++)
			result.second |= (uint32_t)is_live(FIRST_MASK_REG + i) << (BIT_MASK + i);
	if (vector_bits > 128)
		result.first |= (vector_bits > 256 ? UINT32_C(2) : UINT32_C(1)) << BIT_VECTOR_WIDTH;
	if (result.second)
		result.first |= LIVE_SECOND_WORD;
	return result;
}

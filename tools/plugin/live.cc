#include "live.h"

#include <algorithm>
#include <iterator>

#include "rtl-iter.h"

#include "options.h"

#define BIT_X87          9
#define BIT_VECTOR       10
#define BIT_VECTOR_WIDTH 26
#define VECTORS_FIRST    16 /* in the first word */
#define BIT_MASK         16 /* of the second word */

/* The order of their bits. The other general registers are preserved by every function. */
static const unsigned general_registers[] = {AX_REG, CX_REG, DX_REG,  SI_REG, DI_REG,
                                             R8_REG, R9_REG, R10_REG, R11_REG};

static unsigned vector_register(unsigned number)
{
	return number < 8    ? FIRST_SSE_REG + number
	       : number < 16 ? FIRST_REX_SSE_REG + number - 8
	                     : FIRST_EXT_REX_SSE_REG + number - 16;
}

/* A function may promise its caller more than is usual (ms_abi): what it does not use is not live in it. */
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
		uses_x87 |= STACK_REGNO_P(reg) || MMX_REGNO_P(reg);
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

live_words live_registers::words(const_bitmap live, bool at_entry) const
{
	live_words result = {0, 0};
	auto is_live = [&](unsigned reg) {
		return (int)reg != options.omit && (bitmap_bit_p(live, reg) || is_preserved_for_caller(reg));
	};
	for (unsigned i = 0; i < std::size(general_registers); i++)
		result.first |= (uint32_t)is_live(general_registers[i]) << i;
	bool omits_x87 = options.omit >= 0 && STACK_REGNO_P(options.omit);
	if (uses_x87 && !at_entry && !omits_x87)
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

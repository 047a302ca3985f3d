/*
 * What a switch at a check has to preserve: the words that the stub reads (see arch/x86_64/quantum.asm).
 */
#ifndef PLUGIN_LIVE_H
#define PLUGIN_LIVE_H

#include <cstdint>

#include "gcc.h"

struct live_words {
	uint32_t first, second; /* `second` exists if `first` says so */
};

#define LIVE_SECOND_WORD (UINT32_C(1) << 31)

/* What is common to all checks of a function. */
class live_registers
{
  public:
	explicit live_registers(function *compiled);
	/* The words for a set of live hard registers before an instruction; null: at the entry. */
	live_words words(const_bitmap live, const rtx_insn *before) const;

  private:
	void look_at(const_rtx part);
	bool is_preserved_for_caller(unsigned reg) const;
	bool is_x87_live(const rtx_insn *before) const;

	const predefined_function_abi *abi;
	unsigned vector_bits = 0; /* the widest use of a vector register: 128, 256, 512 */
	bool uses_x87 = false, uses_mmx = false;
};

/* Finds out where the x87 stack is empty, while its registers still have names. */
rtl_opt_pass *x87_pass_create();

#endif

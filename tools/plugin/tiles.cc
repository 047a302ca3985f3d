#include "tiles.h"

#include <cctype>
#include <cstring>

#include "attributes.h"

static const char *text_of(rtx_insn *insn)
{
	rtx pattern = PATTERN(insn);
	if (GET_CODE(pattern) == ASM_INPUT)
		return XSTR(pattern, 0);
	rtx operands = extract_asm_operands(pattern);
	return operands ? ASM_OPERANDS_TEMPLATE(operands) : "";
}

/* The end of tmm0 to tmm7; or an operand, as in newer compilers' headers. */
static bool is_number_of_tile(const char *text)
{
	return *text == '%' ||
	       (*text >= '0' && *text <= '7' && !std::isalnum((unsigned char)text[1]) && text[1] != '_');
}

/* A tile's name, as a word of its own. */
static bool names_tile(const char *text)
{
	for (const char *at = std::strstr(text, "tmm"); at; at = std::strstr(at + 1, "tmm"))
		if ((at == text || (!std::isalnum((unsigned char)at[-1]) && at[-1] != '_')) &&
		    is_number_of_tile(at + std::strlen("tmm")))
			return true;
	return false;
}

bool tiles_are_untouched(function *compiled)
{
	basic_block basic;
	if (is_uncooperative(compiled->decl))
		return true;
	FOR_EACH_BB_FN(basic, compiled)
	{
		rtx_insn *insn;
		FOR_BB_INSNS(basic, insn)
		if (NONDEBUG_INSN_P(insn) && names_tile(text_of(insn))) {
			error_at(INSN_LOCATION(insn),
			         "heddle: this uses a tile register (AMX), which a switch of the task "
			         "does not keep: use tiles in a function that is "
			         "%<HEDDLE_UNCOOPERATIVE_FUNCTION%>, from %<_tile_loadconfig()%> to "
			         "%<_tile_release()%>");
			return false;
		}
	}
	return true;
}

#include "marker.h"

#include <cstdio>
#include <cstring>
#include <string>

/* The text is an assembler comment, so that -S shows it. */
#define PREFIX "# heddle "

gimple *marker_statement(marker_kind kind, unsigned id, unsigned maximum)
{
	char text[64];
	if (kind == marker_kind::stay)
		std::snprintf(text, sizeof(text), PREFIX "stay");
	else if (kind == marker_kind::enter)
		std::snprintf(text, sizeof(text), PREFIX "enter %u", id);
	else
		std::snprintf(text, sizeof(text), PREFIX "turn %u %u", id, maximum);
	gasm *statement = gimple_build_asm_vec(ggc_strdup(text), nullptr, nullptr, nullptr, nullptr);
	gimple_asm_set_volatile(statement, true);
	gimple_asm_set_inline(statement, true);
	return statement;
}

marker marker_read(const rtx_insn *insn)
{
	marker result = {marker_kind::none, 0, 0};
	rtx pattern = PATTERN(insn);
	if (GET_CODE(pattern) == PARALLEL)
		pattern = XVECEXP(pattern, 0, 0);
	const char *text = GET_CODE(pattern) == ASM_OPERANDS ? ASM_OPERANDS_TEMPLATE(pattern)
	                   : GET_CODE(pattern) == ASM_INPUT  ? XSTR(pattern, 0)
	                                                     : "";
	if (std::sscanf(text, PREFIX "turn %u %u", &result.id, &result.maximum) == 2)
		result.kind = marker_kind::turn;
	else if (std::sscanf(text, PREFIX "enter %u", &result.id) == 1)
		result.kind = marker_kind::enter;
	else if (std::strcmp(text, PREFIX "stay") == 0)
		result.kind = marker_kind::stay;
	return result;
}

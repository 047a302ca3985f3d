#include "foreign.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <set>
#include <string>
#include <tuple>

#include "growth.h"

/* Absent from lto1. */
extern int flag_hosted __attribute__((weak));

/* They need some 100 bytes at most, which there always are. Those that return twice are like them: another piece
 * would be gone when they return again. */
static const char *const leaves[] = {
    "memcpy",    "memmove",   "memset",        "memcmp",           "memchr",   "bcmp",     "strlen",
    "strcmp",    "strncmp",   "strchr",        "strcpy",           "strncpy",  "__divti3", "__modti3",
    "__udivti3", "__umodti3", "__popcountdi2", "__errno_location", "__muldc3", "__mulsc3"};

/* Its call is one with its arguments, for the linker. */
#define THREAD_LOCAL_ADDRESS "__tls_get_addr"

/* longjmp() that looks whether it goes up the stack. */
#define CAREFUL_JUMP "__longjmp_chk"

#define LEAF ((HOST_WIDE_INT)-1) /* instead of bytes of arguments */

struct way {
	std::string callee;
	HOST_WIDE_INT arguments; /* bytes on the stack */

	std::string name() const
	{
		return "heddle_foreign." + callee + (arguments == LEAF ? "" : "." + std::to_string(arguments));
	}

	bool operator<(const way &other) const
	{
		return std::tie(callee, arguments) < std::tie(other.callee, other.arguments);
	}
};

static std::set<way> ways; /* of this object */

static const char *name_of(const_rtx symbol)
{
	const char *name = XSTR(symbol, 0);
	return name + (*name == '*');
}

static bool is_leaf(const rtx_insn *call, const char *name)
{
	return find_reg_note(call, REG_SETJMP, NULL_RTX) ||
	       std::any_of(std::begin(leaves), std::end(leaves),
	                   [name](const char *leaf) { return std::strcmp(leaf, name) == 0; });
}

/* What the plugin has called, and what gives a function more stack: no header declares it either. */
static bool is_own(const char *name)
{
	for (const char *prefix : {"heddle_", "task_", "uncooperative_", "__morestack"})
		if (std::strncmp(name, prefix, std::strlen(prefix)) == 0)
			return true;
	return false;
}

/* Then nothing is foreign but what the compiler calls by itself, and a hosted program may have that from a library. */
static bool is_freestanding()
{
	return &flag_hosted && !flag_hosted;
}

static bool is_foreign(const_rtx symbol)
{
	tree callee = SYMBOL_REF_DECL(symbol);
	if (is_own(name_of(symbol)) || std::strcmp(name_of(symbol), THREAD_LOCAL_ADDRESS) == 0)
		return false;
	if (!callee)
		return true;
	return TREE_CODE(callee) == FUNCTION_DECL && DECL_EXTERNAL(callee) &&
	       (DECL_IN_SYSTEM_HEADER(callee) || DECL_ARTIFICIAL(callee) || fndecl_built_in_p(callee));
}

static rtx way_to(const way &taken)
{
	ways.insert(taken);
	rtx address = gen_rtx_SYMBOL_REF(Pmode, ggc_strdup(taken.name().c_str()));
	SYMBOL_REF_FLAGS(address) = SYMBOL_FLAG_FUNCTION | SYMBOL_FLAG_LOCAL;
	return address;
}

static void redirect(rtx_insn *insn)
{
	rtx call = get_call_rtx_from(insn);
	rtx symbol = call ? XEXP(XEXP(call, 0), 0) : nullptr;
	if (!symbol || GET_CODE(symbol) != SYMBOL_REF || is_growth(insn) || !is_foreign(symbol))
		return;
	const char *name = name_of(symbol);
	const bool leaf = is_leaf(insn, name);
	if (is_freestanding() && !(leaf && flag_pic))
		return;
	if (std::strcmp(name, CAREFUL_JUMP) == 0)
		error_at(INSN_LOCATION(insn),
		         "heddle: with %<_FORTIFY_SOURCE%> the C library takes a jump to another piece of "
		         "a stack that grows for a mistake: compile with %<-U_FORTIFY_SOURCE%>");
	rtx address = way_to({name, leaf ? LEAF : INTVAL(XEXP(call, 1))});
	XEXP(call, 0) = replace_equiv_address_nv(XEXP(call, 0), address);
	INSN_CODE(insn) = -1;
	df_insn_rescan(insn);
}

void foreign_calls_redirect(function *compiled)
{
	if (!flag_split_stack)
		return;
	basic_block basic;
	FOR_EACH_BB_FN(basic, compiled)
	{
		rtx_insn *insn;
		FOR_BB_INSNS(basic, insn)
		if (CALL_P(insn))
			redirect(insn);
	}
}

static void growing_write(const way &taken)
{
	fprintf(asm_out_file, "\tleaq\t-%d(%%rsp), %%r11\n\tcmpq\t%%fs:0x70, %%r11\n\tjae\t1f\n", FOREIGN_STACK);
	fprintf(asm_out_file, "\ttestb\t$1, %%fs:0x70\n\tjz\t1f\n");
	fprintf(asm_out_file, "\tmovl\t$%d, %%r10d\n\tmovl\t$%d, %%r11d\n", FOREIGN_STACK, (int)taken.arguments);
	fprintf(asm_out_file, "\tcall\t__morestack\n\tret\n");
}

static void way_write(const way &taken)
{
	const std::string name = taken.name();
	fprintf(asm_out_file, "\t.type\t%s, @function\n%s:\n\t.cfi_startproc\n", name.c_str(), name.c_str());
	if (taken.arguments != LEAF)
		growing_write(taken);
	fprintf(asm_out_file, "1:\tjmp\t*%s@GOTPCREL(%%rip)\n\t.cfi_endproc\n", taken.callee.c_str());
	fprintf(asm_out_file, "\t.size\t%s, . - %s\n", name.c_str(), name.c_str());
}

void foreign_ways_write()
{
	if (ways.empty())
		return;
	const bool intel = ASSEMBLER_DIALECT == ASM_INTEL;
	fprintf(asm_out_file, "\t.pushsection\t.text\n%s", intel ? "\t.att_syntax prefix\n" : "");
	for (const way &taken : ways)
		way_write(taken);
	fprintf(asm_out_file, "%s\t.popsection\n", intel ? "\t.intel_syntax noprefix\n" : "");
}

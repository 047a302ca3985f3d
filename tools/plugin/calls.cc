#include "calls.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <map>
#include <vector>

#include "counter.h"
#include "entries.h"
#include "flow.h"
#include "growth.h"
#include "landings.h"
#include "library.h"
#include "pointers.h"

#define SPENT     "heddle_quantum_spent"
#define UNDEFINED "__ubsan_"

/* Calls that the plugin itself inserts, which must not be redirected; and names that the linker looks for as they
 * stand. */
static const char *const untouched[] = {"heddle_stack_jumped", "heddle_stack_entered", "uncooperative_begin",
                                        "uncooperative_end",   "task_keep_control",    "heddle_keep_error",
                                        "__tls_get_addr"};

static bool is_untouched(const std::string &name)
{
	return std::any_of(std::begin(untouched), std::end(untouched),
	                   [&name](const char *one) { return name == one; });
}

/* The sanitizers' functions mostly look at the stack that runs, or at their caller. Those of the one for undefined
 * behaviour do not, and need much stack. */
static bool is_sanitizer_of_stack(tree callee, const std::string &name)
{
	return callee && is_sanitizer(callee) && name.compare(0, std::strlen(UNDEFINED), UNDEFINED) != 0;
}

/* ---------------------------------------------------------------------------------------------- ways -- */

static std::map<std::string, std::string> ways; /* the ways of this object: their texts by their names */

static std::string name_of(const_rtx symbol)
{
	const char *name = XSTR(symbol, 0);
	return name + (*name == '*');
}

static std::string jump_by_table(const std::string &name)
{
	return "\tjmp\t*" + name + "@GOTPCREL(%rip)\n";
}

static std::string jump_to(const std::string &name)
{
	return unit_is_shared() ? jump_by_table(name) : "\tjmp\t" + name + "\n";
}

/* The caller goes on at the address on top of the stack. */
static const char here[] = "\tmovq\t(%rsp), %r11\n";

static std::string way_elsewhere(const std::string &callee, bool pushed)
{
	return "\tmovq\t" + callee + "@GOTPCREL(%rip), %r10\n" +
	       jump_to(pushed ? "heddle_foreign_pushed" : "heddle_foreign");
}

static std::string way_that_looks(const std::string &callee, bool pushed)
{
	return "\tmovq\t" + callee + "@GOTPCREL(%rip), %r10\n\tcmpl\t$" ENTRY_CODE ", " + entry_code_offset() +
	       "(%r10)\n\tjne\t1f\n" + here +
	       "\tjmp\t*%r10\n1:" + jump_to(pushed ? "heddle_foreign_pushed" : "heddle_foreign");
}

std::string foreign_way(HOST_WIDE_INT bytes)
{
	std::string name = "heddle_foreign." + std::to_string(bytes), text = "\tmovq\t%r11, %r10\n";
	if (bytes)
		text += "\tmovl\t$" + std::to_string(bytes) + ", %r11d\n";
	ways[name] = text + jump_to(bytes ? "heddle_foreign_at_pushed" : "heddle_foreign_at");
	return name;
}

#define FRAME_STEP 128 /* little in any piece of stack: so there are few such ways */

std::string growth_way(HOST_WIDE_INT frame, HOST_WIDE_INT bytes)
{
	std::string size = std::to_string(ROUND_UP(frame, FRAME_STEP)), pushed = std::to_string(bytes);
	std::string name = GROWTH_WAY + size + "." + pushed;
	ways[name] = "\tmovl\t$" + size + ", %r10d\n" +
	             (bytes ? "\tmovl\t$" + pushed + ", %r11d\n" : "\txorl\t%r11d, %r11d\n") +
	             jump_to("__morestack");
	return name;
}

static std::string hexadecimal(uint32_t word)
{
	char text[16];
	std::snprintf(text, sizeof(text), "%x", word);
	return text;
}

static std::string word_text(uint32_t word)
{
	return "\t.byte\t0x0f, 0x1f, 0x80\n\t.long\t0x" + hexadecimal(word) + "\n";
}

/* A way with a frame, by which a back trace finds the calling function. */
#define WAY_BEGIN                                                        \
	"\tpushq\t%rbp\n\t.cfi_def_cfa_offset 16\n\t.cfi_offset %rbp, -16\n" \
	"\tmovq\t%rsp, %rbp\n\t.cfi_def_cfa_register %rbp\n"
#define WAY_END "\tpopq\t%rbp\n\t.cfi_def_cfa %rsp, 8\n\tret\n"

std::string spent_way(const live_words &live)
{
	std::string name = entry_name(SPENT, entry::counts) + "." + hexadecimal(live.first);
	std::string words = word_text(live.first);
	if (live.first & LIVE_SECOND_WORD) {
		name += "." + hexadecimal(live.second);
		words += word_text(live.second);
	}
	ways[name] = WAY_BEGIN "\tcall\t" SPENT + std::string(flag_pic ? "@PLT\n" : "\n") + words + WAY_END;
	return name;
}

std::string landing_way(const std::string &landed)
{
	const std::string name = entry_name(landed, entry::counts), place = flag_pic ? "@PLT\n" : "\n";
	ways[name] = WAY_BEGIN + counter_store_text() + "\tcall\t" + landed + place + counter_load_text() +
	             counter_check_text(LANDING_CHARGE) + "\tcall\t" SPENT + place + word_text(0) + "1:" WAY_END;
	return name;
}

static void way_write(const std::string &name, const std::string &text)
{
	const char *way = name.c_str();
	fprintf(asm_out_file, "\t.section\t.text.%s,\"axG\",@progbits,%s,comdat\n", way, way);
	fprintf(asm_out_file, "\t.weak\t%s\n\t.hidden\t%s\n\t.type\t%s, @function\n%s:\n", way, way, way, way);
	fprintf(asm_out_file, "\t.cfi_startproc\n%s\t.cfi_endproc\n\t.size\t%s, . - %s\n", text.c_str(), way,
	        way);
}

void ways_write()
{
	if (ways.empty())
		return;
	const bool intel = ASSEMBLER_DIALECT == ASM_INTEL;
	fprintf(asm_out_file, "%s\t.pushsection\t.text\n", intel ? "\t.att_syntax prefix\n" : "");
	for (const auto &[name, text] : ways)
		way_write(name, text);
	fprintf(asm_out_file, "\t.popsection\n%s", intel ? "\t.intel_syntax noprefix\n" : "");
}

/* --------------------------------------------------------------------------------------------- calls -- */

struct direct_call {
	rtx_insn *insn;
	rtx address;
	std::string name;
	HOST_WIDE_INT bytes; /* of the arguments on the stack */
	bool here;           /* it is lean, or must be called on the stack that runs */
};

static direct_call direct_call_of(rtx_insn *insn)
{
	rtx call = get_call_rtx_from(insn), symbol = XEXP(XEXP(call, 0), 0);
	std::string name = name_of(symbol);
	bool twice = find_reg_note(insn, REG_SETJMP, NULL_RTX);
	return {insn, symbol, name, INTVAL(XEXP(call, 1)), twice || library_is_lean(name)};
}

static bool uses_chain(const rtx_insn *insn)
{
	return find_reg_fusage(insn, USE, gen_rtx_REG(Pmode, R10_REG));
}

/* What the unit knows of a function. For functions that the compiler calls by itself it uses a declaration of its
 * own, even if the unit defines one of that name further down. */
static cgraph_node *node_of(tree callee)
{
	cgraph_node *node = cgraph_node::get(callee);
	if ((node && node->definition) || !fndecl_built_in_p(callee))
		return node;
	for (symtab_node *same = symtab_node::get_for_asmname(DECL_ASSEMBLER_NAME(callee)); same;
	     same = same->next_sharing_asm_name)
		if (same->definition && is_a<cgraph_node *>(same))
			return as_a<cgraph_node *>(same);
	return node;
}

/* Whether the function is this unit's in any case: the linker cannot replace it. */
static bool is_ours(const cgraph_node *node, tree callee)
{
	return node && node->definition && !node->thunk && !node->ifunc_resolver &&
	       (decl_binds_to_current_def_p(callee) || (DECL_ONE_ONLY(callee) && !in_lto_p));
}

static void way_take(const direct_call &call, tree callee, const std::string &way, const std::string &text)
{
	ways[way] = callee && DECL_WEAK(callee) ? "\t.weak\t" + call.name + "\n" + text : text;
}

/* The name of the entry of a function that is, or may be, another unit's. */
static std::string outside_entry(const direct_call &call, tree callee, bool may_be_ours)
{
	const bool pushed = call.bytes > 0;
	const std::string any = may_be_ours ? ".any" : "";
	if (!flag_split_stack || call.here) {
		std::string way = entry_name(call.name + any, entry::counts);
		const bool may_look = may_be_ours || !library_is_lean(call.name);
		way_take(call, callee, way, (may_look ? here : "") + jump_by_table(call.name));
		return way;
	}
	std::string way = entry_name(call.name + any, pushed ? entry::grows_pushed : entry::grows);
	way_take(call, callee, way,
	         may_be_ours ? way_that_looks(call.name, pushed) : way_elsewhere(call.name, pushed));
	return way;
}

static std::string entry_of(const direct_call &call, tree callee)
{
	cgraph_node *node = callee ? node_of(callee) : nullptr;
	if (is_ours(node, callee)) {
		if (!has_entries(callee))
			return call.name;
		bool pushed = call.bytes > 0;
		return entry_name(callee, !flag_split_stack ? entry::counts
		                          : pushed          ? entry::grows_pushed
		                                            : entry::grows);
	}
	return outside_entry(call, callee, node && node->definition);
}

static void name_set(rtx_insn *call, const std::string &name)
{
	rtx address = gen_rtx_SYMBOL_REF(Pmode, ggc_strdup(name.c_str()));
	SYMBOL_REF_FLAGS(address) = SYMBOL_FLAG_FUNCTION | SYMBOL_FLAG_LOCAL;
	rtx place = XEXP(get_call_rtx_from(call), 0);
	XEXP(get_call_rtx_from(call), 0) = replace_equiv_address_nv(place, address);
	INSN_CODE(call) = -1;
	df_insn_rescan(call);
}

/* The way of a call of __morestack loads the sizes. */
static void redirect_growth(rtx_insn *call)
{
	growth_sizes sizes = growth_sizes_of(call);
	if (!sizes.bytes_set)
		return;
	name_set(call, growth_way(sizes.frame, sizes.bytes));
	delete_insn(sizes.frame_set);
	delete_insn(sizes.bytes_set);
}

static void redirect(rtx_insn *insn)
{
	direct_call call = direct_call_of(insn);
	tree callee = callee_of(insn);
	if (is_growth(insn))
		return redirect_growth(insn);
	if (callee && is_landing(callee))
		return name_set(insn, landing_way(call.name));
	if (is_allocation(insn) || uses_chain(insn) || is_sanitizer_of_stack(callee, call.name) ||
	    is_untouched(call.name) || (callee && lookup_attribute("weakref", DECL_ATTRIBUTES(callee))))
		return;
	if (std::string behind = growth_start_behind(callee); !behind.empty())
		return name_set(insn, behind);
	std::string entry = entry_of(call, callee);
	if (entry == call.name)
		return;
	if (flag_split_stack && call.bytes > 0)
		emit_insn_before(gen_rtx_SET(gen_rtx_REG(SImode, R11_REG), GEN_INT(call.bytes)), insn);
	name_set(insn, entry);
}

void calls_redirect(function *compiled)
{
	std::vector<rtx_insn *> direct, by_address;
	basic_block basic;
	if (unit_is_bare())
		return;
	FOR_EACH_BB_FN(basic, compiled)
	{
		rtx_insn *insn;
		FOR_BB_INSNS(basic, insn)
		if (rtx call = is_real_call(insn) ? get_call_rtx_from(insn) : nullptr)
			(GET_CODE(XEXP(XEXP(call, 0), 0)) == SYMBOL_REF ? direct : by_address).push_back(insn);
	}
	for (rtx_insn *insn : direct)
		redirect(insn);
	calls_by_address_emit(by_address);
}

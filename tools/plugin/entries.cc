#include "entries.h"

#include <algorithm>
#include <unordered_set>

#include "attributes.h"
#include "counter.h"
#include "growth.h"

#define VARIABLE_BYTES \
	512 /* bytes of a variadic function's arguments that are copied, since their size is unknown */

/* Absent from lto1. */
extern int flag_hosted __attribute__((weak));

bool unit_is_bare()
{
	return &flag_hosted && !flag_hosted && !flag_pic;
}

bool unit_is_shared()
{
	return flag_pic && !flag_pie;
}

static const char *const suffixes[] = {".heddle", ".heddle.grow", ".heddle.push"};

std::string entry_name(const std::string &function, entry kind)
{
	return function + suffixes[(int)kind];
}

static const char *name_of(tree function)
{
	const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function));
	return name + (*name == '*');
}

std::string entry_name(tree function, entry kind)
{
	return entry_name((TREE_PUBLIC(function) ? "" : LOCAL_LABEL_PREFIX "L") + std::string(name_of(function)),
	                  kind);
}

/* Nothing can be put before these: they stay as they are written, or the machine calls them. */
static bool is_untouchable(tree function)
{
	tree type_attributes = TYPE_ATTRIBUTES(TREE_TYPE(function));
	return is_resolver(function) || lookup_attribute("naked", DECL_ATTRIBUTES(function)) ||
	       lookup_attribute("interrupt", type_attributes) ||
	       lookup_attribute("no_caller_saved_registers", type_attributes);
}

bool has_entries(tree function)
{
	const cgraph_node *node = cgraph_node::get(function);
	return TREE_PUBLIC(function) || DECL_PRESERVE_P(function) || is_called_at_start(function) ||
	       (node && node->address_taken);
}

/* ---------------------------------------------------------------------------------------------- emit -- */

static std::string declaration_of(const std::string &name, tree function)
{
	if (!TREE_PUBLIC(function))
		return "";
	const char *binding = DECL_WEAK(function) || DECL_ONE_ONLY(function) ? ".weak" : ".globl";
	return std::string("\t") + binding + "\t" + name + "\n\t.hidden\t" + name + "\n";
}

static unsigned kinds()
{
	return flag_split_stack ? 3 : 1;
}

static HOST_WIDE_INT argument_bytes(tree function)
{
	HOST_WIDE_INT bytes = crtl->args.size.to_constant();
	if (stdarg_p(TREE_TYPE(function)))
		bytes = std::max(bytes, (HOST_WIDE_INT)VARIABLE_BYTES);
	return ROUND_UP(bytes, UNITS_PER_WORD);
}

/* What gives the function more stack; then it begins again. Arguments on the stack may take some of the room that was
 * asked for, so that it would ask for ever: then that stays behind the function. */
static std::string more_text(tree function, HOST_WIDE_INT bytes)
{
	std::string label = LOCAL_LABEL_PREFIX "L" + entry_name(function, entry::counts) + ".more";
	std::string more = bytes ? "" : growth_move(cfun, label);
	return more.empty() ? "" : "\tjmp\t1f\n" + more;
}

static std::string look_text(tree function)
{
	HOST_WIDE_INT bytes = argument_bytes(function);
	std::string count = std::to_string(bytes),
	            callback = bytes ? "heddle_callback_pushed" : "heddle_callback";
	std::string text = "\n\tje\t1f\n\t";
	if (bytes)
		text += "{movl\t$" + count + ", %%r11d|mov\tr11d, " + count + "}\n\t";
	if (unit_is_shared())
		text += "{call\t*" + callback + "@GOTPCREL(%%rip)|call\t[QWORD PTR " + callback + "@GOTPCREL[rip]]}";
	else
		text += "call\t" + callback;
	return text + "\n\tret\n" + more_text(function, bytes) + "1:\n";
}

static std::string labels_text(tree function)
{
	std::string text;
	for (unsigned kind = 0; kind < kinds(); kind++) {
		std::string name = entry_name(function, (entry)kind);
		text += declaration_of(name, function) + name + ":\n";
	}
	return text;
}

/* Functions whose other entry is within their code; for all others it is their start. */
static std::unordered_set<std::string> emitted;

void entries_emit(function *compiled, bool cares)
{
	tree declared = compiled->decl;
	if (unit_is_bare() || !has_entries(declared) || is_untouchable(declared) || (!cares && !flag_split_stack))
		return;
	std::string text = "{cmpq\t%%r11, (%%rsp)|cmp\tQWORD PTR [rsp], r11}";
	text += (cares ? look_text(declared) : "\n") + labels_text(declared);
	emitted.insert(name_of(declared));
	basic_block first = split_edge(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(compiled)));
	rtx_insn *insn = emit_insn_after(assembly_make(text, nullptr), BB_END(first));
	INSN_LOCATION(insn) = prologue_location;
}

/* ---------------------------------------------------------------------------------------------- keep -- */

/* The linker keeps one function of each group, and might choose another unit's that was compiled in another way. So
 * these get names of their own. */
void entries_keep()
{
	if (unit_is_bare() || in_lto_p)
		return;
	const char *suffix = suffixes[(int)(flag_split_stack ? entry::grows : entry::counts)];
	cgraph_node *node;
	FOR_EACH_FUNCTION(node)
	if (tree group = node->get_comdat_group())
		node->set_comdat_group(get_identifier((std::string(IDENTIFIER_POINTER(group)) + suffix).c_str()));
}

/* --------------------------------------------------------------------------------------------- write -- */

static void write_names(tree function, tree target)
{
	for (unsigned kind = 0; kind < kinds(); kind++) {
		std::string name = entry_name(function, (entry)kind), place = name_of(target);
		if (emitted.count(place))
			place = entry_name(target, (entry)kind);
		if (name != place)
			fprintf(asm_out_file, "%s\t.set\t%s, %s\n", declaration_of(name, function).c_str(), name.c_str(),
			        place.c_str());
	}
}

void entries_write()
{
	cgraph_node *node;
	if (unit_is_bare())
		return;
	FOR_EACH_FUNCTION(node)
	{
		if (!TREE_ASM_WRITTEN(node->decl) || !node->definition || node->thunk || node->weakref ||
		    node->ifunc_resolver || !has_entries(node->decl))
			continue;
		cgraph_node *target = node->ultimate_alias_target();
		if (target && !target->thunk)
			write_names(node->decl, target->decl);
	}
}

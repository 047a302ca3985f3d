#include "accesses.h"

#include <cstring>

#include "rtl-iter.h"

#include "counter.h"
#include "marker.h"

/* Functions of assembly that compiled code calls or jumps to: the instructions of the usual way through them, and
 * through what they call that is assembly (arch/x86_64/). The compiled part of it is accounted for as all is. */
static const struct {
	const char *name;
	unsigned weight;
} assembly_functions[] = {
    {"heddle_yield", 17}, {"heddle_suspend", 6},
    {"task_yield", 30},   {"arch_call_on_processor_stack", 25},
    {"__morestack", 62},  {"heddle_quantum_spent", 40},
    {"context_begin", 7},
};

static const char *name_of(const rtx_insn *insn)
{
	return INSN_CODE(insn) >= 0 && insn_data[INSN_CODE(insn)].name ? insn_data[INSN_CODE(insn)].name : "";
}

static bool is_assembly(const rtx_insn *insn)
{
	return asm_noperands(PATTERN(insn)) >= 0 || GET_CODE(PATTERN(insn)) == ASM_INPUT;
}

static const char *assembly_text(const rtx_insn *insn)
{
	if (GET_CODE(PATTERN(insn)) == ASM_INPUT)
		return XSTR(PATTERN(insn), 0);
	rtx operands = extract_asm_operands(PATTERN(insn));
	return operands ? ASM_OPERANDS_TEMPLATE(operands) : "";
}

/* -------------------------------------------------------------------------------------------- weight -- */

static unsigned weight_of_function(const char *text)
{
	for (const auto &function : assembly_functions) {
		const char *found = std::strstr(text, function.name);
		size_t length = std::strlen(function.name);
		if (found && !ISIDNUM(found[length]))
			return function.weight;
	}
	return 0;
}

/* Lines that are no label, directive or comment. */
static unsigned count_instructions(const char *text)
{
	unsigned count = 0;
	while (*text) {
		text += std::strspn(text, " \t\n;{");
		size_t length = std::strcspn(text, "\n;");
		count += length > 0 && text[length - 1] != ':' && *text != '.' && *text != '#';
		text += length;
	}
	return count;
}

static unsigned weight_of_assembly(const rtx_insn *insn)
{
	if (marker_read(insn).kind != marker_kind::none)
		return 0;
	const char *text = assembly_text(insn);
	return count_instructions(text) + (std::strstr(text, "jmp") ? weight_of_function(text) : 0);
}

static unsigned weight_of_call(const rtx_insn *insn)
{
	tree callee = callee_of(insn);
	return 1 + (callee ? weight_of_function(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(callee))) : 0);
}

unsigned weight_of(rtx_insn *insn)
{
	if (!NONDEBUG_INSN_P(insn) || GET_CODE(PATTERN(insn)) == USE || GET_CODE(PATTERN(insn)) == CLOBBER ||
	    JUMP_TABLE_DATA_P(insn))
		return 0;
	if (is_assembly(insn))
		return weight_of_assembly(insn);
	if (CALL_P(insn))
		return is_real_call(insn) ? weight_of_call(insn) : 0;
	if (recog_memoized(insn) >= 0 && get_attr_min_length(insn) == 0)
		return 0; /* it only keeps others in their order */
	return 1;
}

unsigned weight_of_entry(tree function)
{
	const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function));
	size_t length = std::strlen(name);
	return length > 5 && std::strcmp(name + length - 5, "_body") == 0 ? 4 : 0;
}

/* ------------------------------------------------------------------------------------------- effects -- */

static bool is_fence(const char *name)
{
	return std::strstr(name, "mfence");
}

/* The bytes of an element, by the compiler's name of the instruction. */
static const char *element_of(const char *name)
{
	return std::strstr(name, "di") ? "8" : std::strstr(name, "si") ? "4" : "1";
}

std::string effect_of(const rtx_insn *insn)
{
	const char *name = name_of(insn);
	if (is_assembly(insn)) {
		const char *text = assembly_text(insn);
		return std::strcmp(text, "pause") == 0       ? "pause"
		       : std::strcmp(text, "rep movsb") == 0 ? "copy1"
		       : std::strcmp(text, "rep stosb") == 0 ? "fill1"
		                                             : "";
	}
	if (std::strstr(name, "rep_mov"))
		return std::string("copy") + element_of(std::strstr(name, "rep_mov") + std::strlen("rep_mov"));
	if (std::strstr(name, "rep_stos"))
		return std::string("fill") + element_of(std::strstr(name, "rep_stos") + std::strlen("rep_stos"));
	if (std::strstr(name, "divmod"))
		return std::strstr(name, "divmoddi") ? "divide8" : "divide4";
	return is_fence(name) ? "fence" : "";
}

/* ------------------------------------------------------------------------------------------ accesses -- */

/* Read, modified and written as one. */
static bool is_atomic(const char *name)
{
	const char *found = std::strstr(name, "atomic_");
	return found && !std::strstr(found, "atomic_load") && !std::strstr(found, "atomic_store");
}

static bool is_hidden(const_rtx address)
{
	subrtx_iterator::array_type array;
	FOR_EACH_SUBRTX(iterator, array, address, ALL)
	if (GET_CODE(*iterator) == UNSPEC || GET_CODE(*iterator) == SCRATCH ||
	    (GET_CODE(*iterator) == SYMBOL_REF && SYMBOL_REF_TLS_MODEL(*iterator) != TLS_MODEL_NONE))
		return true;
	return false;
}

class access_finder
{
  public:
	explicit access_finder(access_kind writing) : writing(writing)
	{
	}

	std::vector<memory_access> found;

	void look_at(rtx part)
	{
		switch (GET_CODE(part)) {
		case SET:
			look_at(SET_SRC(part));
			look_at_target(SET_DEST(part));
			return;
		case PARALLEL:
			look_at_parallel(part);
			return;
		case CLOBBER:
		case USE:
			return;
		case PREFETCH:
			found.push_back(
			    {INTVAL(XEXP(part, 1)) ? access_kind::prefetch_write : access_kind::prefetch, XEXP(part, 0)});
			return;
		case CALL: /* what is called is no data; where its address is may be */
			look_at(XEXP(XEXP(part, 0), 0));
			return;
		case MEM:
			add(access_kind::read, part);
			return;
		default:
			look_inside(part);
		}
	}

  private:
	access_kind writing;

	/* What is read, by all parts of it, comes before what is written. */
	void look_at_parallel(rtx part)
	{
		for (int i = 0; i < XVECLEN(part, 0); i++) {
			rtx one = XVECEXP(part, 0, i);
			look_at(GET_CODE(one) == SET ? SET_SRC(one) : one);
		}
		for (int i = 0; i < XVECLEN(part, 0); i++)
			if (GET_CODE(XVECEXP(part, 0, i)) == SET)
				look_at_target(SET_DEST(XVECEXP(part, 0, i)));
	}

	void look_at_target(rtx target)
	{
		while (GET_CODE(target) == SUBREG || GET_CODE(target) == STRICT_LOW_PART ||
		       GET_CODE(target) == ZERO_EXTRACT)
			target = XEXP(target, 0);
		if (MEM_P(target))
			add(writing, target);
	}

	void look_inside(rtx part)
	{
		const char *format = GET_RTX_FORMAT(GET_CODE(part));
		for (int i = 0; i < GET_RTX_LENGTH(GET_CODE(part)); i++) {
			if (format[i] == 'e')
				look_at(XEXP(part, i));
			for (int j = 0; format[i] == 'E' && j < XVECLEN(part, i); j++)
				look_at(XVECEXP(part, i, j));
		}
	}

	void add(access_kind kind, rtx memory)
	{
		rtx address = XEXP(memory, 0);
		if (!ADDR_SPACE_GENERIC_P(MEM_ADDR_SPACE(memory)) || is_hidden(address) ||
		    GET_MODE(memory) == BLKmode)
			return;
		if (GET_CODE(address) == PRE_DEC || GET_CODE(address) == PRE_MODIFY)
			address = plus_constant(Pmode, XEXP(address, 0), -UNITS_PER_WORD);
		else if (GET_RTX_CLASS(GET_CODE(address)) == RTX_AUTOINC)
			address = XEXP(address, 0);
		if (kind == access_kind::read && is_early(address))
			kind = access_kind::read_early;
		found.push_back({kind, address});
	}

	static bool is_early(const_rtx address)
	{
		return is_on_stack(address) || CONSTANT_P(address);
	}
};

std::vector<memory_access> accesses_of(const rtx_insn *insn)
{
	const bool atomic = is_atomic(name_of(insn));
	if (!NONDEBUG_INSN_P(insn) || JUMP_TABLE_DATA_P(insn) || is_fence(name_of(insn)))
		return {};
	access_finder finder(atomic ? access_kind::atomic : access_kind::write);
	finder.look_at(PATTERN(insn));
	if (!atomic)
		return finder.found;
	/* An atomic instruction fetches the line to write it from the start. */
	std::vector<memory_access> only;
	for (const memory_access &one : finder.found)
		if (one.kind == access_kind::atomic && only.empty())
			only.push_back(one);
	return only;
}

bool is_on_stack(const_rtx address)
{
	subrtx_iterator::array_type array;
	FOR_EACH_SUBRTX(iterator, array, address, NONCONST)
	if (*iterator == stack_pointer_rtx || (frame_pointer_needed && *iterator == hard_frame_pointer_rtx))
		return true;
	return false;
}

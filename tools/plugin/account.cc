#include "account.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "rtl-iter.h"

#include "accesses.h"
#include "array_reads.h"
#include "counter.h"
#include "growth.h"

#define LEFT       "heddle_account_left(%%rip)"
#define KEPT       "heddle_account_rax(%%rip)"
#define NEAR_BYTES 64 /* two words of the stack as near as this count as one line of the cache */

static const char *const kinds[] = {"read", "read_early", "prefetch", "write", "atomic", "prefetch_write"};

/* An instruction of a block, with what is free before it. */
struct place {
	rtx_insn *insn;
	bool flags_free, accumulator_free;
};

/* ---------------------------------------------------------------------------------------------- emit -- */

static rtx statement(const std::string &text, rtx address, bool flags_free)
{
	rtvec inputs = rtvec_alloc(0), constraints = rtvec_alloc(0);
	if (address) {
		inputs = gen_rtvec(1, address);
		constraints = gen_rtvec(1, gen_rtx_ASM_INPUT(Pmode, ggc_strdup("p")));
	}
	rtx operands = gen_rtx_ASM_OPERANDS(VOIDmode, ggc_strdup(text.c_str()), "", 0, inputs, constraints,
	                                    rtvec_alloc(0), UNKNOWN_LOCATION);
	MEM_VOLATILE_P(operands) = 1;
	if (!flags_free)
		return operands;
	rtx flags = gen_rtx_CLOBBER(VOIDmode, gen_rtx_REG(CCmode, FLAGS_REG));
	return gen_rtx_PARALLEL(VOIDmode, gen_rtvec(2, operands, flags));
}

static void emit_before(const place &at, const std::string &text, rtx address = nullptr)
{
	rtx_insn *emitted = emit_insn_before(statement(text, address, at.flags_free), at.insn);
	INSN_LOCATION(emitted) = INSN_LOCATION(at.insn);
}

static std::string called(const std::string &what, const place &at)
{
	return "call\theddle_account_" + what + (at.flags_free ? "" : "_flags");
}

static void emit_access(const place &at, const memory_access &one)
{
	std::string keep = at.accumulator_free ? "" : "movq\t%%rax, " KEPT "\n\t";
	emit_before(at, keep + "leaq\t%a0, %%rax\n\t" + called(kinds[(int)one.kind], at), one.address);
}

static void emit_charge(const place &at, unsigned weight, bool calls)
{
	std::string count = std::to_string(weight);
	if (at.flags_free)
		emit_before(at, "subl\t$" + count + ", " LEFT +
		                    (calls ? "\n\tjns\t1f\n\tcall\theddle_account_spent\n1:" : ""));
	else
		emit_before(at, "movq\t%%rax, " KEPT "\n\tmovl\t" LEFT ", %%eax\n\tleal\t-" + count +
		                    "(%%rax), %%eax\n\tmovl\t%%eax, " LEFT "\n\tmovq\t" KEPT ", %%rax");
}

/* --------------------------------------------------------------------------------------------- block -- */

static std::vector<place> places_of(basic_block basic)
{
	std::vector<place> places;
	bitmap live = BITMAP_ALLOC(nullptr);
	bitmap_copy(live, DF_LR_OUT(basic));
	df_simulate_initialize_backwards(basic, live);
	rtx_insn *insn;
	FOR_BB_INSNS_REVERSE(basic, insn)
	{
		if (!INSN_P(insn))
			continue;
		df_simulate_one_insn_backwards(basic, insn, live);
		if (NONDEBUG_INSN_P(insn) && !JUMP_TABLE_DATA_P(insn))
			places.push_back({insn, !bitmap_bit_p(live, FLAGS_REG), !bitmap_bit_p(live, AX_REG)});
	}
	std::reverse(places.begin(), places.end());
	BITMAP_FREE(live);
	return places;
}

/* Accesses of a block that are accounted for already, as long as what their addresses are made of stays. */
class seen_accesses
{
  public:
	bool has(const memory_access &one) const
	{
		return std::any_of(all.begin(), all.end(), [&one](const memory_access &other) {
			return covers(other.kind, one.kind) &&
			       (rtx_equal_p(other.address, one.address) || is_near(other.address, one.address));
		});
	}

	void add(const memory_access &one)
	{
		all.push_back(one);
	}

	/* What this instruction leaves of them. */
	void leave(const rtx_insn *insn)
	{
		if (CALL_P(insn))
			all.clear();
		auto is_changed = [insn](const memory_access &one) { return changes(insn, one.address); };
		all.erase(std::remove_if(all.begin(), all.end(), is_changed), all.end());
	}

  private:
	std::vector<memory_access> all;

	static bool covers(access_kind earlier, access_kind later)
	{
		return earlier == later || (earlier == access_kind::write && later <= access_kind::read_early);
	}

	static bool is_near(rtx one, rtx other)
	{
		poly_int64 offset_one, offset_other;
		rtx base_one = strip_offset(one, &offset_one), base_other = strip_offset(other, &offset_other);
		return is_on_stack(one) && rtx_equal_p(base_one, base_other) &&
		       std::abs((offset_one - offset_other).to_constant()) < NEAR_BYTES;
	}

	/* Where the stack pointer moves, its words stay near. */
	static bool changes(const rtx_insn *insn, rtx address)
	{
		subrtx_iterator::array_type array;
		FOR_EACH_SUBRTX(iterator, array, address, NONCONST)
		if (REG_P(*iterator) && *iterator != stack_pointer_rtx && reg_set_p(*iterator, insn))
			return true;
		return false;
	}
};

static void account_accesses(const std::vector<place> &places, const array_reads &arrays, basic_block basic)
{
	seen_accesses seen;
	for (const place &at : places) {
		if (std::string effect = effect_of(at.insn); !effect.empty())
			emit_before(at, called(effect, at));
		for (memory_access one : accesses_of(at.insn)) {
			if (one.kind == access_kind::read && arrays.has(basic, one.address))
				one.kind = access_kind::read_early;
			if (one.kind != access_kind::atomic && seen.has(one))
				continue;
			emit_access(at, one);
			seen.add(one);
		}
		seen.leave(at.insn);
	}
}

/* Where the flags are free first; else where the block begins. */
static void charge(const std::vector<place> &places, unsigned weight, bool calls)
{
	for (const place &at : places)
		weight += weight_of(at.insn);
	if (weight == 0)
		return;
	auto is_free = [](const place &at) { return at.flags_free; };
	auto best = std::find_if(places.begin(), places.end(), is_free);
	emit_charge(best != places.end() ? *best : places.front(), weight, calls);
}

static bool grows(const std::vector<place> &places)
{
	auto is_call = [](const place &at) { return CALL_P(at.insn) && is_growth(at.insn); };
	return std::any_of(places.begin(), places.end(), is_call);
}

/* ------------------------------------------------------------------------------------------- function -- */

static bool uses_x87(function *compiled)
{
	basic_block basic;
	FOR_EACH_BB_FN(basic, compiled)
	{
		rtx_insn *insn;
		FOR_BB_INSNS(basic, insn)
		{
			if (!NONDEBUG_INSN_P(insn))
				continue;
			subrtx_iterator::array_type array;
			FOR_EACH_SUBRTX(iterator, array, PATTERN(insn), NONCONST)
			if (REG_P(*iterator) && (STACK_REGNO_P(REGNO(*iterator)) || MMX_REGNO_P(REGNO(*iterator))))
				return true;
		}
	}
	return false;
}

void account_emit(function *compiled)
{
	const bool calls = !uses_x87(compiled);
	df_analyze();
	const array_reads arrays(compiled);
	basic_block basic, first = single_succ(ENTRY_BLOCK_PTR_FOR_FN(compiled));
	FOR_EACH_BB_FN(basic, compiled)
	{
		std::vector<place> places = places_of(basic);
		if (grows(places))
			continue;
		charge(places, basic == first ? weight_of_entry(compiled->decl) : 0, calls);
		if (calls)
			account_accesses(places, arrays, basic);
	}
}

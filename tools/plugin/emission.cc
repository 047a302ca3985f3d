#include "emission.h"

#include <map>
#include <string>
#include <vector>

#include "calls.h"
#include "cold.h"
#include "counter.h"
#include "growth.h"
#include "live.h"

#define RED_ZONE 128

/* A check, before it is emitted. */
struct site {
	basic_block basic;
	rtx_insn *before; /* null: at the start of a block without instructions */
	unsigned charge;
	live_words live;
	bool flags_live;
	bool framed; /* the function's frame is complete there */
	bool at_entry;
	bool in_jump; /* it is part of the jump that it stands before */
};

/* The unwinding information of such a frame never uses the stack pointer. */
static bool frame_is_realigned()
{
	return crtl->stack_realign_needed || crtl->drap_reg;
}

/* --------------------------------------------------------------------------------------------- text -- */

/* Whether memory below the stack pointer that a call would overwrite may be in use. A frame may be made part by part
 * (GCC 16), and be used before its last part is made. But a realigned frame is made at once, and unwinding
 * information could not describe a step before that. */
static bool uses_red_zone(const site &site)
{
	return crtl->is_leaf && !site.at_entry && (site.framed || !frame_is_realigned()) && ix86_using_red_zone();
}

static std::string cold_text(const site &site)
{
	return "call\t" + spent_way(site.live);
}

/* ---------------------------------------------------------------------------------------------- insns -- */

/* Move the stack pointer by so many bytes without changing the flags, and keep the compiler's own unwinding
 * information in step. */
static rtx stack_step(int bytes)
{
	return gen_rtx_SET(stack_pointer_rtx, plus_constant(Pmode, stack_pointer_rtx, bytes));
}

static rtx_insn *emit_stack_step(int bytes)
{
	rtx_insn *step = emit_insn(stack_step(bytes));
	RTX_FRAME_RELATED_P(step) = !frame_is_realigned();
	return step;
}

/* Emit the cold path's call. If the flags were pushed, the red zone was skipped already. */
static void emit_call(const site &site)
{
	bool steps = uses_red_zone(site) && !site.flags_live;
	if (steps)
		emit_stack_step(-RED_ZONE);
	emit_insn(assembly_make(cold_text(site), nullptr));
	if (steps)
		emit_stack_step(RED_ZONE);
}

/* An instruction that moves the stack pointer by so many bytes; unwinding information says so. */
static void emit_stack_instruction(const char *text, int bytes)
{
	rtx_insn *insn = emit_insn(assembly_make(text, nullptr));
	RTX_FRAME_RELATED_P(insn) = !frame_is_realigned();
	if (RTX_FRAME_RELATED_P(insn))
		add_reg_note(insn, REG_FRAME_RELATED_EXPR, stack_step(bytes));
}

/* Skip the red zone and push the flags before a check, and undo both after it. */
static void flags_keep(const site &site)
{
	bool steps = uses_red_zone(site);
	start_sequence();
	emit_stack_instruction("popfq", UNITS_PER_WORD);
	if (steps)
		emit_stack_step(RED_ZONE);
	rtx_insn *restore = get_insns();
	end_sequence();
	emit_insn_before(restore, site.before);
	start_sequence();
	if (steps)
		emit_stack_step(-RED_ZONE);
	emit_stack_instruction("pushfq", -UNITS_PER_WORD);
	rtx_insn *keep = get_insns();
	end_sequence();
	emit_insn_after(keep, BB_END(site.basic));
}

/* The calls of checks in jumps to the same block, where the same is live: it is made once for all of them, in the block
 * of one. */
using shared_calls = std::map<std::pair<basic_block, std::string>, basic_block>;

/* Behind a check in a jump: its block makes the call before it jumps itself, or jumps to the block of another. */
static void emit_call_behind(const site &site, edge jump, shared_calls &calls)
{
	const std::string what = cold_text(site) + (uses_red_zone(site) ? " below the red zone" : "");
	basic_block &shared = calls[{jump->dest, what}];
	if (shared) {
		redirect_jump(as_a<rtx_jump_insn *>(site.before), block_label(shared), 0);
		redirect_edge_succ(jump, shared);
		return;
	}
	shared = jump->src;
	start_sequence();
	emit_call(site);
	rtx_insn *call = get_insns();
	end_sequence();
	emit_insn_before(call, site.before);
}

/* The check jumps in place of the jump that it stands before, unless the quantum is spent. So there is no further
 * branch for the processor to foresee: one that was ever taken costs that, however seldom it is taken. */
static void emit_in_jump(const site &site, shared_calls &calls)
{
	basic_block checked = site.basic, spent = split_block(checked, PREV_INSN(site.before))->dest;
	edge jump = single_succ_edge(spent);
	basic_block target = jump->dest;
	rtx_code_label *label = block_label(target);
	rtx_insn *check =
	    emit_jump_insn_after(assembly_make(counter_check_in_jump(site.charge), label), BB_END(checked));
	INSN_LOCATION(check) = INSN_LOCATION(site.before);
	JUMP_LABEL(check) = label;
	LABEL_NUSES(label)++;
	emit_call_behind(site, jump, calls);
	single_succ_edge(checked)->probability = profile_probability::very_unlikely();
	spent->count = checked->count.apply_probability(profile_probability::very_unlikely());
	make_edge(checked, target, 0)->probability = profile_probability::very_likely();
}

static void emit(const site &site, cold_ends &ends)
{
	basic_block back =
	    site.before ? split_block(site.basic, PREV_INSN(site.before))->dest : single_succ(site.basic);
	location_t location = site.before ? INSN_LOCATION(site.before) : prologue_location;
	if (site.flags_live)
		flags_keep(site);
	start_sequence();
	emit_call(site);
	rtx_insn *call = get_insns();
	end_sequence();
	const counter_end end = site.at_entry ? counter_end::sign : counter_end::overflow;
	cold_emit(ends, {site.basic, back, counter_check(site.charge, end), call, location});
}

/* ---------------------------------------------------------------------------------------------- sites -- */

/* Registers that are live before each instruction of a block, from its end upwards. */
class upward_liveness
{
  public:
	explicit upward_liveness(basic_block walked)
	    : basic(walked), next(BB_END(walked)), live(BITMAP_ALLOC(nullptr))
	{
		bitmap_copy(live, DF_LR_OUT(basic));
		df_simulate_initialize_backwards(basic, live);
	}

	~upward_liveness()
	{
		BITMAP_FREE(live);
	}

	const_bitmap before(const rtx_insn *insn)
	{
		bool reached = false;
		for (; !reached; next = PREV_INSN(next)) {
			if (INSN_P(next))
				df_simulate_one_insn_backwards(basic, next, live);
			reached = next == insn;
		}
		return live;
	}

  private:
	basic_block basic;
	rtx_insn *next;
	bitmap live;
};

/* Where in a function its frame is complete. A function without a prologue has only the red zone, from its start. */
class frame
{
  public:
	explicit frame(function *compiled)
	{
		basic_block basic;
		FOR_EACH_BB_FN(basic, compiled)
		{
			rtx_insn *insn;
			FOR_BB_INSNS(basic, insn)
			if (INSN_P(insn) && prologue_contains(insn))
				last = insn;
		}
	}

	bool is_made(basic_block basic, const rtx_insn *at) const
	{
		if (!last)
			return true;
		basic_block made = BLOCK_FOR_INSN(last);
		if (basic != made)
			return dominated_by_p(CDI_DOMINATORS, basic, made);
		return DF_INSN_LUID(at) > DF_INSN_LUID(last);
	}

  private:
	rtx_insn *last = nullptr;
};

/* Where the stack is compared, behind that: so callers in the unit may leave the comparison out. */
static basic_block entered_block()
{
	basic_block body = growth_body(cfun);
	return body ? body : single_succ(ENTRY_BLOCK_PTR_FOR_FN(cfun));
}

static site site_at_entry(const live_registers &registers, const charges &charges)
{
	live_words live = registers.words(DF_LR_IN(entered_block()), nullptr);
	return {nullptr, nullptr, charges.at_entry(), live, false, false, true, false};
}

/* An empty block at the entry. */
static basic_block entry_split()
{
	if (basic_block body = growth_body(cfun))
		return split_block_after_labels(body)->src;
	return split_edge(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)));
}

/* The last places come first: each splits its block, and what comes before it keeps its place. */
static std::vector<site> sites_find(flow &flow, const charges &charges)
{
	live_registers registers(cfun);
	frame frame(cfun);
	std::vector<site> sites;
	for (block &block : flow.blocks) {
		if (!block.has_check())
			continue;
		upward_liveness live(block.basic);
		for (auto before = block.checks.rbegin(); before != block.checks.rend(); ++before) {
			const instruction &one = block.instructions[*before];
			live_words words = registers.words(live.before(one.insn), one.insn);
			sites.push_back({block.basic, one.insn, charges.at(block, *before), words, one.flags_live,
			                 frame.is_made(block.basic, one.insn), false, block.is_in_jump(*before)});
		}
	}
	if (flow.entry_check)
		sites.push_back(site_at_entry(registers, charges));
	return sites;
}

void checks_emit(flow &flow, const charges &charges, cold_ends &ends)
{
	shared_calls calls;
	for (site &site : sites_find(flow, charges)) {
		if (site.at_entry)
			site.basic = entry_split();
		if (site.in_jump)
			emit_in_jump(site, calls);
		else
			emit(site, ends);
	}
}

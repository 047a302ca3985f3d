#include "emission.h"

#include <cstdio>
#include <string>
#include <vector>

#include "counter.h"
#include "live.h"

#define STUB     "heddle_quantum_spent"
#define RED_ZONE 128

/* A check, before it is emitted. */
struct site {
	basic_block basic;
	rtx_insn *before; /* null: at the start of a block without instructions */
	unsigned charge;
	live_words live;
	bool flags_live;
	bool framed; /* the function's frame is made */
	bool at_entry;
};

/* --------------------------------------------------------------------------------------------- text -- */

/* Whether what a call would overwrite below the stack pointer may be in use. */
static bool uses_red_zone(const site &site)
{
	return crtl->is_leaf && site.framed && ix86_using_red_zone();
}

/* Where the flags are live they are on the stack from the check on, until restore_text(). Such a check is
 * rare, and where its function was left a debugger cannot tell while it runs: no unwinding passes there
 * otherwise. */
static std::string check_text(const site &site)
{
	std::string charge = std::to_string(site.charge);
	std::string text = "{subl\t$" + charge + ", %%r15d|sub\tr15d, " + charge + "}\n\tjs\t%l0";
	return site.flags_live ? "pushfq\n\t" + text : text;
}

static std::string word_text(uint32_t word)
{
	char text[64];
	std::snprintf(text, sizeof(text), "\n\t.byte\t0x0f, 0x1f, 0x80\n\t.long\t0x%x", word);
	return text;
}

static std::string cold_text(const site &site)
{
	std::string text = std::string("call\t" STUB) + (flag_pic ? "@PLT" : "") + word_text(site.live.first);
	return site.live.first & LIVE_SECOND_WORD ? text + word_text(site.live.second) : text;
}

/* ---------------------------------------------------------------------------------------------- insns -- */

/* Move the stack pointer by so many bytes, without change to the flags; the compiler's own unwinding
 * information follows. */
static rtx stack_step(int bytes)
{
	return gen_rtx_SET(stack_pointer_rtx, plus_constant(Pmode, stack_pointer_rtx, bytes));
}

static rtx_insn *emit_stack_step(int bytes)
{
	rtx_insn *step = emit_insn(stack_step(bytes));
	/* A realigned frame is never described by the stack pointer. */
	RTX_FRAME_RELATED_P(step) = !crtl->stack_realign_needed && !crtl->drap_reg;
	return step;
}

/* Around the cold path's call. Where the flags are pushed they are above the red zone already. */
static rtx_insn *emit_call(const site &site)
{
	bool steps = uses_red_zone(site) && !site.flags_live;
	if (steps)
		emit_stack_step(-RED_ZONE);
	rtx_insn *call = emit_insn(assembly_make(cold_text(site), nullptr));
	if (steps)
		emit_stack_step(RED_ZONE);
	return call;
}

static void use_label(rtx_insn *jump, rtx_code_label *label)
{
	JUMP_LABEL(jump) = label;
	LABEL_NUSES(label)++;
}

/* The last instruction of the part of the function, hot or cold, that a block lies in, and its block. */
static rtx_insn *end_of_part(basic_block basic, basic_block *last)
{
	*last = basic;
	while ((*last)->next_bb != EXIT_BLOCK_PTR_FOR_FN(cfun) &&
	       BB_PARTITION((*last)->next_bb) == BB_PARTITION(basic))
		*last = (*last)->next_bb;
	rtx_insn *insn = BB_END(*last);
	for (rtx_insn *next = NEXT_INSN(insn);
	     next && (BARRIER_P(next) || JUMP_TABLE_DATA_P(next) || LABEL_P(next)); next = NEXT_INSN(next))
		if (!LABEL_P(next) || (NEXT_INSN(next) && JUMP_TABLE_DATA_P(NEXT_INSN(next))))
			insn = next;
		else
			break;
	return insn;
}

static basic_block emit_cold(const site &site, rtx_code_label *label, basic_block back, location_t location)
{
	basic_block last;
	rtx_insn *end = end_of_part(site.basic, &last);
	start_sequence();
	emit_label(label);
	rtx_insn *call = emit_call(site);
	rtx_insn *jump = emit_jump_insn(gen_rtx_SET(pc_rtx, gen_rtx_LABEL_REF(Pmode, block_label(back))));
	use_label(jump, block_label(back));
	emit_barrier();
	rtx_insn *sequence = get_insns();
	end_sequence();
	INSN_LOCATION(call) = INSN_LOCATION(jump) = location;
	emit_insn_after(sequence, end);
	basic_block cold = create_basic_block(label, jump, last);
	BB_COPY_PARTITION(cold, site.basic);
	return cold;
}

/* Free the red zone before the flags are pushed, and take both back behind the check. */
static void flags_keep(const site &site)
{
	bool steps = uses_red_zone(site);
	start_sequence();
	emit_insn(assembly_make("popfq", nullptr));
	if (steps)
		emit_stack_step(RED_ZONE);
	rtx_insn *restore = get_insns();
	end_sequence();
	emit_insn_before(restore, site.before);
	if (steps) {
		start_sequence();
		emit_stack_step(-RED_ZONE);
		rtx_insn *step = get_insns();
		end_sequence();
		emit_insn_after(step, BB_END(site.basic));
	}
}

static void emit(const site &site)
{
	basic_block back =
	    site.before ? split_block(site.basic, PREV_INSN(site.before))->dest : single_succ(site.basic);
	edge next = find_edge(site.basic, back);
	location_t location = site.before ? INSN_LOCATION(site.before) : prologue_location;
	if (site.flags_live)
		flags_keep(site);
	rtx_code_label *label = gen_label_rtx();
	rtx_insn *jump = emit_jump_insn_after(assembly_make(check_text(site), label), BB_END(site.basic));
	INSN_LOCATION(jump) = location;
	use_label(jump, label);
	basic_block cold = emit_cold(site, label, back, location);
	cold->count = site.basic->count.apply_probability(profile_probability::very_unlikely());
	make_edge(site.basic, cold, 0)->probability = profile_probability::very_unlikely();
	next->probability = profile_probability::very_likely();
	make_single_succ_edge(cold, back, 0);
}

/* ---------------------------------------------------------------------------------------------- sites -- */

static void live_before(basic_block basic, const rtx_insn *before, bitmap live)
{
	bitmap_copy(live, DF_LR_OUT(basic));
	df_simulate_initialize_backwards(basic, live);
	for (rtx_insn *insn = BB_END(basic);; insn = PREV_INSN(insn)) {
		if (INSN_P(insn))
			df_simulate_one_insn_backwards(basic, insn, live);
		if (insn == before)
			return;
	}
}

/* Where in a function its frame is there. A function without a prologue has nothing but the red zone, at
 * once. */
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
		for (const rtx_insn *insn = last; insn != NEXT_INSN(BB_END(basic)); insn = NEXT_INSN(insn))
			if (insn == at)
				return insn != last;
		return false;
	}

  private:
	rtx_insn *last = nullptr;
};

static site site_at_entry(const live_registers &registers, const charges &charges)
{
	edge entry = single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun));
	live_words live = registers.words(DF_LR_IN(entry->dest), true);
	return {entry->dest, nullptr, charges.at_entry(), live, false, false, true};
}

/* Last places first: each splits its block, and what stands before it keeps its place. */
static std::vector<site> sites_find(flow &flow)
{
	live_registers registers(cfun);
	charges charges(flow);
	frame frame(cfun);
	std::vector<site> sites;
	bitmap live = BITMAP_ALLOC(nullptr);
	for (block &block : flow.blocks) {
		for (auto before = block.checks.rbegin(); before != block.checks.rend(); ++before) {
			const instruction &one = block.instructions[*before];
			live_before(block.basic, one.insn, live);
			sites.push_back({block.basic, one.insn, charges.at(block, *before), registers.words(live, false),
			                 one.flags_live, frame.is_made(block.basic, one.insn), false});
		}
	}
	if (flow.entry_check)
		sites.push_back(site_at_entry(registers, charges));
	BITMAP_FREE(live);
	return sites;
}

void checks_emit(flow &flow)
{
	for (site &site : sites_find(flow)) {
		if (site.at_entry) {
			site.basic = split_edge(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)));
		}
		emit(site);
	}
}

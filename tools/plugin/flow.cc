#include "flow.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "rtl-iter.h"

#include "control.h"
#include "convention.h"
#include "counter.h"
#include "entries.h"
#include "growth.h"
#include "jumps.h"
#include "landings.h"
#include "marker.h"
#include "options.h"
#include "pointers.h"

struct callee {
	bool checks;
	ways_through ways;
	unsigned uncharged;
};

/* By DECL_UID. Functions are compiled callees first where the compiler can. */
static std::unordered_map<unsigned, callee> known_callees;

void callee_remember(tree declaration, bool checks, const ways_through &ways, unsigned uncharged)
{
	known_callees[DECL_UID(declaration)] = {checks, ways, uncharged};
}

static bool returns(const ways_through &ways)
{
	return ways.without_check != NO_WAY || ways.from_check != NO_WAY;
}

unsigned block::weight() const
{
	unsigned sum = 0;
	for (const instruction &one : instructions)
		sum += one.weight;
	return sum;
}

bool block::calls_check(unsigned from, unsigned end) const
{
	for (unsigned i = from; i < end; i++)
		if (instructions[i].may_check())
			return true;
	return false;
}

bool block::is_in_jump(unsigned check) const
{
	const instruction &before = instructions[check];
	return before.insn == BB_END(basic) && !before.flags_live && simplejump_p(before.insn) &&
	       !(single_succ_edge(basic)->flags & (EDGE_CROSSING | EDGE_COMPLEX));
}

double block::frequency() const
{
	return basic->count.initialized_p() ? basic->count.to_frequency(cfun) : 0;
}

bool is_sanitizer(tree declaration)
{
	const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(declaration));
	name += *name == '*';
	for (const char *prefix : {"__tsan_", "__asan_", "__ubsan_", "__sanitizer_"})
		if (std::strncmp(name, prefix, std::strlen(prefix)) == 0)
			return true;
	return false;
}

/* Null: only the convention is known. What never returns may leave by an exception, anywhere. */
static const callee *callee_known(tree declaration)
{
	auto found = declaration ? known_callees.find(DECL_UID(declaration)) : known_callees.end();
	if (found == known_callees.end() || !decl_binds_to_current_def_p(declaration) ||
	    !returns(found->second.ways))
		return nullptr;
	return &found->second;
}

static void examine_call(instruction &one)
{
	tree callee = callee_of(one.insn);
	one.weight += call_extra(one.insn);
	if (callee && is_landing(callee)) {
		one.call = call_kind::checking;
		one.callee = {LANDING_TO_CHECK, NO_WAY, LANDING_LEFT};
		return;
	}
	if (callee && (is_sanitizer(callee) || is_error_place(callee) || is_settling(callee))) {
		one.call = call_kind::small;
		return;
	}
	const struct callee *known = callee_known(callee);
	if (!known) {
		convention convention = convention_of(callee);
		one.call = call_kind::unknown;
		one.callee = {convention.to_check, convention.to_check, convention.from_check};
	} else if (known->checks) {
		one.call = call_kind::checking;
		one.callee = known->ways;
		one.uncharged = known->uncharged;
	} else {
		one.call = call_kind::small;
		one.weight += known->ways.to_check;
	}
}

/* An asm statement counts as many instructions as its text has lines. */
static unsigned assembly_weight(const rtx_insn *insn)
{
	rtx pattern = PATTERN(insn);
	if (marker_read(insn).kind != marker_kind::none)
		return 0;
	if (GET_CODE(pattern) == ASM_INPUT)
		return asm_str_count(XSTR(pattern, 0));
	rtx operands = extract_asm_operands(pattern);
	return operands ? asm_str_count(ASM_OPERANDS_TEMPLATE(operands)) : 0;
}

static bool is_assembly(const rtx_insn *insn)
{
	return asm_noperands(PATTERN(insn)) >= 0 || GET_CODE(PATTERN(insn)) == ASM_INPUT;
}

/* `rep movs` and its kin count down rcx themselves. */
static bool is_repeated_string(const rtx_insn *insn)
{
	const char *name = INSN_CODE(insn) >= 0 ? insn_data[INSN_CODE(insn)].name : nullptr;
	if (!name)
		return false;
	return std::strstr(name, "rep_mov") || std::strstr(name, "rep_stos") || std::strstr(name, "cmpstrnqi") ||
	       std::strstr(name, "strlenqi");
}

static bool uses_thread_local(rtx_insn *insn)
{
	subrtx_iterator::array_type array;
	FOR_EACH_SUBRTX(iterator, array, PATTERN(insn), ALL)
	if (GET_CODE(*iterator) == SYMBOL_REF && SYMBOL_REF_TLS_MODEL(*iterator) != TLS_MODEL_NONE)
		return true;
	return false;
}

static bool emits_code(const rtx_insn *insn)
{
	return NONDEBUG_INSN_P(insn) && GET_CODE(PATTERN(insn)) != USE && GET_CODE(PATTERN(insn)) != CLOBBER &&
	       !JUMP_TABLE_DATA_P(insn);
}

/* Whether it only moves a register to or from its place in the frame, which exists by then: the compiler may do so
 * far from where it makes the frame (GCC 16). Not so the register from which a realigned frame is counted while that is
 * made or taken down: a call would lose it. */
static bool keeps_register(const rtx_insn *insn)
{
	rtx set = single_set(insn);
	if (crtl->drap_reg && reg_mentioned_p(crtl->drap_reg, PATTERN(insn)))
		return false;
	auto is_place = [](const_rtx one) {
		return MEM_P(one) && GET_RTX_CLASS(GET_CODE(XEXP(one, 0))) != RTX_AUTOINC;
	};
	return set && (is_place(SET_DEST(set)) || (is_place(SET_SRC(set)) && REG_P(SET_DEST(set))));
}

/* No check between the first and the last instruction that make a frame, nor where it is taken down. */
static void close_frames(block &block)
{
	unsigned first = 0, last = 0;
	bool in_epilogue = false;
	for (unsigned i = 0; i < block.instructions.size(); i++) {
		instruction &one = block.instructions[i];
		const bool of_frame = !keeps_register(one.insn);
		if (of_frame && RTX_FRAME_RELATED_P(one.insn) && prologue_contains(one.insn)) {
			first = last ? first : i + 1;
			last = i + 1;
		}
		one.closed |= in_epilogue;
		in_epilogue |= of_frame && epilogue_contains(one.insn);
	}
	for (unsigned i = first; i < last; i++)
		block.instructions[i].closed = true;
}

/* __builtin_longjmp() takes over another frame: once it changes one of the two pointers, this one cannot be
 * unwound. */
static void close_leap(block &block)
{
	unsigned first = block.instructions.size();
	bool leaps = false;
	for (unsigned i = 0; i < block.instructions.size(); i++) {
		const rtx_insn *insn = block.instructions[i].insn;
		if (CALL_P(insn) || prologue_epilogue_contains(insn))
			continue;
		if (reg_set_p(stack_pointer_rtx, insn))
			first = std::min(first, i);
		leaps |= frame_pointer_needed && reg_set_p(hard_frame_pointer_rtx, insn);
	}
	for (unsigned i = first + 1; leaps && i < block.instructions.size(); i++)
		block.instructions[i].closed = true;
}

/* The called function returns to the instruction after the next one. */
static void close_growth(block &block)
{
	bool grows = false;
	for (const instruction &one : block.instructions)
		grows |= is_growth(one.insn);
	for (instruction &one : block.instructions)
		one.closed |= grows;
}

/* No check between the query for errno's address and its use, which is nearby: in another thread errno is
 * elsewhere. */
static void close_error_places(block &block)
{
	for (unsigned i = 0; i < block.instructions.size(); i++) {
		tree callee = CALL_P(block.instructions[i].insn) ? callee_of(block.instructions[i].insn) : NULL_TREE;
		if (!callee || !is_error_place(callee))
			continue;
		for (unsigned next = i + 1; next < block.instructions.size(); next++) {
			instruction &one = block.instructions[next];
			one.closed = true;
			if (CALL_P(one.insn) || reg_mentioned_p(gen_rtx_REG(Pmode, AX_REG), PATTERN(one.insn)))
				break;
		}
	}
}

static bool is_landed_in(const basic_block basic)
{
	edge e;
	edge_iterator iterator;
	FOR_EACH_EDGE(e, iterator, basic->preds)
	if (e->flags & EDGE_EH)
		return true;
	return false;
}

/* Close the block's instructions up to its first call, that included. Returns whether there was one. */
static bool close_to_call(block &block)
{
	for (instruction &one : block.instructions) {
		one.closed = true;
		if (CALL_P(one.insn))
			return true;
	}
	return false;
}

/* The task cannot be switched before an exception is settled: the exception is not yet kept for it. The first call
 * from where it lands settles it, which may be some blocks further on: parts of the function lie elsewhere. */
static void close_landings(flow &flow, function *compiled)
{
	std::vector<basic_block> reached;
	std::unordered_set<int> seen;
	basic_block basic;
	FOR_EACH_BB_FN(basic, compiled)
	if (is_landed_in(basic))
		reached.push_back(basic);
	while (!reached.empty()) {
		basic = reached.back();
		reached.pop_back();
		if (basic->index < NUM_FIXED_BLOCKS || !seen.insert(basic->index).second ||
		    close_to_call(flow.at(basic)))
			continue;
		edge e;
		edge_iterator iterator;
		FOR_EACH_EDGE(e, iterator, basic->succs)
		reached.push_back(e->dest);
	}
}

/* Close the instructions before this one, back to a call. Returns whether there was no call. */
static bool close_before(block &block, unsigned end)
{
	while (end > 0 && !CALL_P(block.instructions[end - 1].insn))
		block.instructions[--end].closed = true;
	return end == 0;
}

/* The same after a jump: until it is settled, the limit is that of the piece of stack that the jump left. */
static void close_returns(flow &flow, block &block)
{
	for (unsigned i = 0; i < block.instructions.size(); i++) {
		tree callee = CALL_P(block.instructions[i].insn) ? callee_of(block.instructions[i].insn) : NULL_TREE;
		if (!callee || !is_settling(callee))
			continue;
		block.instructions[i].closed = true;
		basic_block basic = block.basic;
		bool goes_on = close_before(block, i);
		while (goes_on && single_pred_p(basic) && single_pred(basic)->index >= NUM_FIXED_BLOCKS) {
			basic = single_pred(basic);
			goes_on = close_before(flow.at(basic), flow.at(basic).instructions.size());
		}
	}
}

static void examine_block(flow &flow, block &block)
{
	bitmap live = BITMAP_ALLOC(nullptr);
	bitmap_copy(live, DF_LR_OUT(block.basic));
	df_simulate_initialize_backwards(block.basic, live);
	rtx_insn *insn;
	FOR_BB_INSNS_REVERSE(block.basic, insn)
	{
		if (!INSN_P(insn))
			continue;
		df_simulate_one_insn_backwards(block.basic, insn, live);
		if (!emits_code(insn))
			continue;
		instruction one = {insn, 1, call_kind::none, {}, 0, (bool)bitmap_bit_p(live, FLAGS_REG), false};
		if (is_assembly(insn)) {
			one.weight = assembly_weight(insn);
			flow.assembly += marker_read(insn).kind == marker_kind::none && !counter_is_moved(insn);
		} else if (is_real_call(insn) && !is_growth(insn)) {
			examine_call(one);
		}
		flow.repeated += is_repeated_string(insn);
		flow.thread_local_accesses += uses_thread_local(insn);
		block.instructions.push_back(one);
	}
	std::reverse(block.instructions.begin(), block.instructions.end());
	for (instruction &one : block.instructions)
		one.closed = counter_is_in_block(one.insn);
	close_frames(block);
	close_leap(block);
	close_growth(block);
	close_error_places(block);
	BITMAP_FREE(live);
}

flow::flow(function *compiled) : blocks(last_basic_block_for_fn(compiled))
{
	basic_block basic;
	FOR_ALL_BB_FN(basic, compiled)
	blocks[basic->index].basic = basic;
	FOR_EACH_BB_FN(basic, compiled)
	examine_block(*this, at(basic));
	if (!unit_is_bare())
		close_landings(*this, compiled);
	FOR_EACH_BB_FN(basic, compiled)
	close_returns(*this, at(basic));
	if (has_entries(compiled->decl) && !unit_is_bare() && !first().instructions.empty())
		first().instructions.front().weight += ENTRY_LOOK;
	order.resize(n_basic_blocks_for_fn(compiled));
	order.resize(pre_and_rev_post_order_compute_fn(compiled, nullptr, order.data(), false));
	for (unsigned i = 0; i < order.size(); i++)
		blocks[order[i]].position = i + 1; /* behind the entry block's 0 */
	blocks[EXIT_BLOCK].position = order.size() + 1;
}

void flow::check_add(block &where, unsigned before)
{
	auto place = std::lower_bound(where.checks.begin(), where.checks.end(), before);
	if (place == where.checks.end() || *place != before)
		where.checks.insert(place, before);
}

bool flow::calls_check() const
{
	for (const block &block : blocks)
		for (const instruction &one : block.instructions)
			if (one.may_check())
				return true;
	return false;
}

unsigned flow::check_count() const
{
	unsigned count = entry_check;
	for (const block &block : blocks)
		count += block.checks.size();
	return count;
}

double flow::check_cost() const
{
	double sum = entry_check ? ENTRY_BLOCK_PTR_FOR_FN(cfun)->count.to_frequency(cfun) : 0;
	for (const block &block : blocks)
		if (block.has_check())
			sum += (block.checks.size() - (block.is_in_jump(block.checks.back()) ? 1 - COST_IN_JUMP : 0)) *
			       block.frequency();
	return sum;
}

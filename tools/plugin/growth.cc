#include "growth.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "attributes.h"
#include "comparison.h"
#include "counter.h"
#include "entries.h"
#include "marker.h"

#define FRAME_SIZE R10_REG /* the register in which __morestack gets the frame's size, */
#define DEEP_STACK \
	704 /* with what every function has that suffices for HEDDLE_DEEP ones (tools/verify/depth) */
#define LEAF_STACK 96 /* with the return address; "user code" in tools/verify/depth has it below each limit */
#define ROOM_LEFT  160     /* the most that a function leaves for a callee, so that stacks stay small */
#define SCRATCH    R11_REG /* and one that is free before the call */
#define ALLOCATION "__morestack_allocate_stack_space"

/* What a call names, or "". */
static const char *name_called(const rtx_insn *insn)
{
	rtx call = CALL_P(insn) ? get_call_rtx_from(insn) : nullptr;
	rtx target = call ? XEXP(XEXP(call, 0), 0) : nullptr;
	return target && GET_CODE(target) == SYMBOL_REF ? XSTR(target, 0) : "";
}

bool is_growth(const rtx_insn *insn)
{
	const char *name = name_called(insn);
	return std::strcmp(name, "__morestack") == 0 ||
	       std::strncmp(name, GROWTH_WAY, std::strlen(GROWTH_WAY)) == 0;
}

bool is_allocation(const rtx_insn *insn)
{
	return std::strcmp(name_called(insn), ALLOCATION) == 0;
}

/* Memory of alloca() and arrays that comes from elsewhere: for each, the stack pointer moves by 16, so that it is known
 * when they are gone (arch/x86_64/grow.asm). */
#define SPACES_STACK 128

static bool sets_constant(rtx_insn *insn, unsigned reg)
{
	rtx set = insn ? single_set(insn) : nullptr;
	return set && REG_P(SET_DEST(set)) && REGNO(SET_DEST(set)) == reg && CONST_INT_P(SET_SRC(set));
}

growth_sizes growth_sizes_of(rtx_insn *call)
{
	rtx_insn *bytes_set = prev_nonnote_nondebug_insn_bb(call);
	rtx_insn *frame_set = bytes_set ? prev_nonnote_nondebug_insn_bb(bytes_set) : nullptr;
	if (!sets_constant(bytes_set, SCRATCH) || !sets_constant(frame_set, FRAME_SIZE))
		return {0, 0, nullptr, nullptr};
	HOST_WIDE_INT frame = INTVAL(SET_SRC(single_set(frame_set))),
	              bytes = INTVAL(SET_SRC(single_set(bytes_set)));
	return {frame, bytes, frame_set, bytes_set};
}

/* The instruction that sets the frame's size, right before the call; null: the stack does not grow. */
static rtx frame_size_of(function *compiled)
{
	rtx size = nullptr;
	basic_block basic;
	FOR_EACH_BB_FN(basic, compiled)
	{
		rtx_insn *insn;
		FOR_BB_INSNS(basic, insn)
		{
			if (!NONDEBUG_INSN_P(insn))
				continue;
			if (is_growth(insn))
				return size;
			rtx set = single_set(insn);
			if (set && REG_P(SET_DEST(set)) && REGNO(SET_DEST(set)) == FRAME_SIZE)
				size = CONST_INT_P(SET_SRC(set)) ? set : nullptr;
		}
	}
	return nullptr;
}

/* What a function needs whose callers in this unit compare for it, too. */
struct room {
	HOST_WIDE_INT bytes; /* return address included */
	bool compares;       /* other callers do not, so it has a second start behind its comparison */
};

static std::unordered_map<unsigned, room> rooms; /* by DECL_UID */

/* Functions of which nothing was known yet when they were called, by DECL_UID. */
static std::unordered_set<unsigned> called_before;

/* Null: the function compares by itself. */
static const room *room_of(tree callee)
{
	auto found = callee ? rooms.find(DECL_UID(callee)) : rooms.end();
	return found != rooms.end() && decl_binds_to_current_def_p(callee) ? &found->second : nullptr;
}

/* Bytes that must be free below the frame: for arguments that are pushed, with the return address of the call, for
 * the functions of the kernel that it calls, and for those that do not compare by themselves. */
static HOST_WIDE_INT room_below(function *compiled)
{
	HOST_WIDE_INT pushed = 0, deep = 0;
	basic_block basic;
	FOR_EACH_BB_FN(basic, compiled)
	{
		rtx_insn *insn;
		FOR_BB_INSNS(basic, insn)
		{
			if (rtx note = find_reg_note(insn, REG_ARGS_SIZE, NULL_RTX))
				pushed = std::max(pushed, (HOST_WIDE_INT)get_args_size(note).to_constant());
			tree callee = CALL_P(insn) ? callee_of(insn) : NULL_TREE;
			if (callee && is_deep(callee))
				deep = std::max(deep, (HOST_WIDE_INT)DEEP_STACK);
			if (const room *room = room_of(callee))
				deep = std::max(deep, room->bytes);
			else if (callee)
				called_before.insert(DECL_UID(callee));
		}
	}
	return deep + (pushed ? pushed + UNITS_PER_WORD : 0);
}

/* The sum of an instruction that sets SCRATCH to the stack pointer plus some bytes. */
static rtx distance_of(rtx_insn *insn)
{
	rtx set = NONDEBUG_INSN_P(insn) && !CALL_P(insn) ? single_set(insn) : nullptr;
	if (!set || !REG_P(SET_DEST(set)) || REGNO(SET_DEST(set)) != SCRATCH)
		return nullptr;
	rtx distance = SET_SRC(set);
	return GET_CODE(distance) == PLUS && XEXP(distance, 0) == stack_pointer_rtx ? distance : nullptr;
}

static void changed(rtx_insn *insn)
{
	INSN_CODE(insn) = -1;
	df_insn_rescan(insn);
}

/* A call that gets memory from elsewhere is told of the room. */
static void tell_room(rtx_insn *allocation, HOST_WIDE_INT room)
{
	rtx scratch = gen_rtx_REG(SImode, SCRATCH), use = gen_rtx_USE(VOIDmode, scratch);
	emit_insn_before(gen_rtx_SET(scratch, GEN_INT(room)), allocation);
	CALL_INSN_FUNCTION_USAGE(allocation) =
	    gen_rtx_EXPR_LIST(VOIDmode, use, CALL_INSN_FUNCTION_USAGE(allocation));
	df_insn_rescan(allocation);
}

/* Compare so many bytes below the stack pointer, in the first block of the function. If the function compares the
 * stack pointer itself, it may already use SCRATCH to find its variable arguments: then that instruction moves behind
 * the comparison, whose flags it leaves alone. */
static void compare_room(basic_block first, HOST_WIDE_INT size)
{
	rtx_insn *insn, *scratch_set = nullptr;
	FOR_BB_INSNS(first, insn)
	{
		if (distance_of(insn))
			scratch_set = insn;
		rtx compared = comparison_of(insn);
		if (!compared)
			continue;
		if (REGNO(XEXP(compared, 0)) == SCRATCH) {
			if (!scratch_set)
				return error_at(DECL_SOURCE_LOCATION(cfun->decl),
				                "heddle: on a stack that grows, a frame may have 2 GiB");
			XEXP(distance_of(scratch_set), 1) = GEN_INT(-size);
			changed(scratch_set);
			if (size >= LOWEST_STACK)
				comparison_refuse_wrapped(insn, 0);
			return;
		}
		rtx scratch = gen_rtx_REG(Pmode, SCRATCH);
		emit_insn_before(gen_rtx_SET(scratch, plus_constant(Pmode, stack_pointer_rtx, -size)), insn);
		XEXP(compared, 0) = scratch;
		changed(insn);
		if (scratch_set)
			reorder_insns(scratch_set, scratch_set, insn);
		return;
	}
}

/* What alloca() and arrays compare, and the calls that get them memory from elsewhere, in all blocks but the first of a
 * function that compares its frame there. */
static void leave_room_everywhere(function *compiled, basic_block compares_frame, HOST_WIDE_INT room)
{
	std::vector<rtx_insn *> comparisons;
	basic_block basic;
	FOR_EACH_BB_FN(basic, compiled)
	{
		rtx_insn *insn;
		if (basic == compares_frame)
			continue;
		FOR_BB_INSNS(basic, insn)
		if (is_allocation(insn))
			tell_room(insn, room);
		else if (comparison_of(insn))
			comparisons.push_back(insn);
	}
	for (rtx_insn *comparison : comparisons)
		comparison_leave_room(comparison, room);
}

static bool compares; /* the function that is compiled */

void growth_compare_frame(function *compiled)
{
	if (!flag_split_stack)
		return;
	rtx frame = frame_size_of(compiled);
	basic_block first = single_succ(ENTRY_BLOCK_PTR_FOR_FN(compiled));
	HOST_WIDE_INT room = room_below(compiled);
	compares = frame != nullptr;
	if (compiled->calls_alloca)
		leave_room_everywhere(compiled, frame ? first : nullptr, room);
	HOST_WIDE_INT size =
	    frame ? INTVAL(SET_SRC(frame)) + room + (compiled->calls_alloca ? SPACES_STACK : 0) : 0;
	if (size == 0)
		return;
	SET_SRC(frame) = GEN_INT(size);
	compare_room(first, size);
}

/* --------------------------------------------------------------------------------------- less comparisons -- */

static bool calls_or_has_assembly(function *compiled)
{
	basic_block basic;
	FOR_EACH_BB_FN(basic, compiled)
	{
		rtx_insn *insn;
		FOR_BB_INSNS(basic, insn)
		if (NONDEBUG_INSN_P(insn) &&
		    (CALL_P(insn) ? is_real_call(insn) && !is_growth(insn)
		                  : asm_noperands(PATTERN(insn)) >= 0 && marker_read(insn).kind == marker_kind::none))
			return true;
	}
	return false;
}

/* The edge to what calls __morestack, if that lies out of line, as at -O2; null: it does not. */
static edge growing_edge(basic_block first)
{
	if (!any_condjump_p(BB_END(first)) || EDGE_COUNT(first->succs) != 2)
		return nullptr;
	edge e = BRANCH_EDGE(first);
	rtx_insn *insn;
	if (!(FALLTHRU_EDGE(first)->flags & EDGE_FALLTHRU) || !single_pred_p(e->dest))
		return nullptr;
	FOR_BB_INSNS(e->dest, insn)
	if (is_growth(insn))
		return e;
	return nullptr;
}

static void out_of_line_delete(basic_block first, edge grows)
{
	basic_block out_of_line = grows->dest;
	delete_insn(BB_END(first));
	remove_edge(grows);
	single_succ_edge(first)->probability = profile_probability::always();
	delete_basic_block(out_of_line);
}

static void comparison_delete(basic_block first, edge grows)
{
	rtx_insn *insn, *next;
	out_of_line_delete(first, grows);
	FOR_BB_INSNS_SAFE(first, insn, next)
	if (comparison_of(insn) || distance_of(insn))
		delete_insn(insn);
}

void growth_spare_leaf(function *compiled)
{
	if (!flag_split_stack || compiled->calls_alloca || stdarg_p(TREE_TYPE(compiled->decl)) ||
	    crtl->stack_realign_needed || calls_or_has_assembly(compiled))
		return;
	rtx frame = frame_size_of(compiled);
	basic_block first = single_succ(ENTRY_BLOCK_PTR_FOR_FN(compiled));
	edge grows = growing_edge(first);
	if (frame && grows && INTVAL(SET_SRC(frame)) + UNITS_PER_WORD <= LEAF_STACK)
		comparison_delete(first, grows);
}

basic_block growth_body(function *compiled)
{
	basic_block first = single_succ(ENTRY_BLOCK_PTR_FOR_FN(compiled));
	edge grows = flag_split_stack ? growing_edge(first) : nullptr;
	basic_block body = grows ? FALLTHRU_EDGE(first)->dest : nullptr;
	return body && EDGE_COUNT(body->preds) == 2 && find_edge(grows->dest, body) ? body : nullptr;
}

/* Whether the first block does nothing but compare. */
static bool only_compares(basic_block first)
{
	rtx_insn *insn;
	FOR_BB_INSNS(first, insn)
	if (NONDEBUG_INSN_P(insn) && insn != BB_END(first) && !comparison_of(insn) && !distance_of(insn) &&
	    GET_CODE(PATTERN(insn)) != UNSPEC_VOLATILE)
		return false;
	return true;
}

/* Whether nothing leads to it but direct calls of functions that are yet to be compiled. */
static bool is_called_later(tree function)
{
	cgraph_node *node = cgraph_node::get(function);
	if (has_entries(function) || !node || node->has_aliases_p() || called_before.count(DECL_UID(function)))
		return false;
	for (cgraph_edge *call = node->callers; call; call = call->next_caller)
		if (call->caller->thunk || lookup_attribute("no_split_stack", DECL_ATTRIBUTES(call->caller->decl)))
			return false;
	return true;
}

static std::string room_name(tree function)
{
	return LOCAL_LABEL_PREFIX "L" + entry_name(function, entry::counts) + ".room";
}

/* Whether a function begins with the comparison and does nothing else before its body. */
static bool begins_with_comparison(function *compiled)
{
	return growth_body(compiled) && !compiled->calls_alloca && !stdarg_p(TREE_TYPE(compiled->decl)) &&
	       !crtl->stack_realign_needed && !crtl->drap_reg &&
	       only_compares(single_succ(ENTRY_BLOCK_PTR_FOR_FN(compiled)));
}

void growth_open(function *compiled)
{
	tree declared = compiled->decl;
	basic_block body = growth_body(compiled), first = single_succ(ENTRY_BLOCK_PTR_FOR_FN(compiled));
	if (!begins_with_comparison(compiled))
		return;
	rtx frame = frame_size_of(compiled);
	HOST_WIDE_INT room = frame ? INTVAL(SET_SRC(frame)) + UNITS_PER_WORD : ROOM_LEFT + 1;
	if (room > ROOM_LEFT)
		return;
	const bool stays = !is_called_later(declared);
	rooms[DECL_UID(declared)] = {room, stays};
	if (stays)
		emit_insn_after(assembly_make(room_name(declared) + ":", nullptr), bb_note(body));
	else
		comparison_delete(first, growing_edge(first));
}

std::string growth_start_behind(tree callee)
{
	/* Its own room was not yet known when its frame was compared. */
	const room *room = compares && callee != cfun->decl ? room_of(callee) : nullptr;
	return room && room->compares ? room_name(callee) : "";
}

/* The way that a block calls which does nothing else but go on, so that no register needs care; "": it does more. */
static std::string way_alone(basic_block out_of_line)
{
	std::string way;
	rtx_insn *insn;
	FOR_BB_INSNS(out_of_line, insn)
	if (is_growth(insn))
		way = name_called(insn);
	else if (NONDEBUG_INSN_P(insn) && !JUMP_P(insn) && GET_CODE(PATTERN(insn)) != UNSPEC_VOLATILE)
		return "";
	return way;
}

std::string growth_move(function *compiled, const std::string &label)
{
	basic_block first = single_succ(ENTRY_BLOCK_PTR_FOR_FN(compiled));
	edge grows = begins_with_comparison(compiled) ? growing_edge(first) : nullptr;
	std::string way = grows ? way_alone(grows->dest) : "";
	if (way.empty())
		return "";
	out_of_line_delete(first, grows);
	emit_insn_after(assembly_make("jb\t" + label, nullptr), BB_END(first));
	return label + ":\n\tcall\t" + way + "\n\tret\n";
}

/*
 * A function as the placement of checks sees it: its blocks, each a list of instructions with what matters about
 * them.
 */
#ifndef PLUGIN_FLOW_H
#define PLUGIN_FLOW_H

#include <unordered_set>
#include <vector>

#include "gcc.h"

/* A call of a function that is known to run no check, and at most so many instructions, counts as those instructions
 * (small). Of others that this unit has it is known where their checks are (checking). All that is known of the rest
 * is the convention (placement.h). */
enum class call_kind { none, small, checking, unknown };

#define NO_WAY (-1)

/* The longest ways through a function, in instructions, those of its callees included. */
struct ways_through {
	int to_check;      /* from its entry to its first check, or if it meets none to its return */
	int without_check; /* from its entry to its return; NO_WAY: each passes a check */
	int from_check;    /* from its last check to its return; NO_WAY: it has none */
};

struct instruction {
	rtx_insn *insn;
	unsigned weight; /* instructions of the machine, those of a small callee included */
	call_kind call;
	ways_through callee; /* of a call that is checking or unknown */
	unsigned uncharged;  /* instructions of such a callee that no check of its own charges, as expected */
	bool flags_live;     /* before it: a check there must preserve them */
	bool closed; /* no check can stand before it: a frame is half made there, and unwinding might fail */

	/* Whether it calls a function that may have a check. */
	bool may_check() const
	{
		return call == call_kind::checking || call == call_kind::unknown;
	}
};

struct block {
	basic_block basic;
	std::vector<instruction> instructions;
	std::vector<unsigned> checks; /* the instructions before which checks stand, in order */
	unsigned repeated = 0;        /* header of a loop without checks: what all its turns but one may add */
	unsigned turn = 0;            /* and that one */
	double multiplier =
	    1; /* how often it is expected to run each time that the outermost such loop is entered */
	unsigned position = 0; /* in `order` */

	bool has_check() const
	{
		return !checks.empty();
	}
	bool has_check_from(unsigned instruction) const
	{
		return has_check() && checks.back() >= instruction;
	}
	/* Whether a check may be passed in these calls. */
	bool calls_check(unsigned from, unsigned end) const;
	unsigned weight() const;
	double
	frequency() const; /* how often it is expected to run, by the compiler's scale; 0: nothing is known */
	/* Whether a check before that instruction becomes part of an unconditional jump, which that is. */
	bool is_in_jump(unsigned check) const;
};

struct flow {
	std::vector<block> blocks; /* by index of the basic block */
	std::vector<int> order;    /* indices in reverse postorder; neither the entry nor the exit block */
	std::unordered_set<edge>
	    bounded;              /* edges that close a loop with a bounded number of turns, and no check */
	bool entry_check = false; /* before the prologue */
	unsigned assembly = 0, repeated = 0, thread_local_accesses = 0;

	/* Needs df_analyze(). */
	explicit flow(function *compiled);

	block &at(basic_block basic)
	{
		return blocks[basic->index];
	}
	block &first()
	{
		return at(single_succ(ENTRY_BLOCK_PTR_FOR_FN(cfun)));
	}
	/* Each cycle has an edge that goes back, by this definition. */
	bool goes_back(edge e)
	{
		return at(e->dest).position <= at(e->src).position;
	}
	void check_add(block &where, unsigned before);
	unsigned check_count() const;
	/* What checks are expected to cost: how often they run, by the compiler's scale. */
	double check_cost() const;
	bool calls_check() const;
};

/* What a check that is part of a jump costs, if another costs 1: it needs no branch of its own. 0.5 is worse than this
 * in the mean of the libraries (tools/measure/overhead). */
#define COST_IN_JUMP 0.2

/* Remember a function for its callers: whether it has a check, or calls a function that may have one, be it on a way
 * that never returns; and how many of its instructions no check of its own charges. */
void callee_remember(tree declaration, bool checks, const ways_through &ways, unsigned uncharged);

/* Whether it belongs to the compiler's own instrumentation, which switches nothing and runs no check. */
bool is_sanitizer(tree declaration);

#endif

/*
 * How the pass over loops in GIMPLE tells the pass that inserts checks what it knows: by volatile asm
 * statements without code. They cost nothing, and whatever the compiler does with them in between, each is
 * executed exactly as often, and in the same order, as the program that the first pass left says:
 *
 *     ENTER(id)          where a loop is entered
 *     TURN(id, maximum)  in the loop's header: executed at most `maximum` times before ENTER(id) is again, or
 * the loop is left
 *
 * So a cycle that has TURN(id) and not ENTER(id) on each of its turns ends after `maximum` of them, and needs
 * no check. A marker that was lost only means that a check is inserted.
 */
#ifndef PLUGIN_MARKER_H
#define PLUGIN_MARKER_H

#include "gcc.h"

/* Of `stay` nothing is told but that it stands where it is. */
enum class marker_kind { none, stay, enter, turn };

struct marker {
	marker_kind kind;
	unsigned id, maximum;
};

/* The statement. */
gimple *marker_statement(marker_kind kind, unsigned id, unsigned maximum);

/* What an instruction says, kind none for all others. */
marker marker_read(const rtx_insn *insn);

#endif

/*
 * How the pass over loops in GIMPLE tells the pass that inserts checks what it knows: by volatile asm statements
 * without code. They cost nothing. Whatever the compiler does in between, each is executed exactly as often, and in
 * the same order, as in the program after the first pass:
 *
 *     ENTER(id)          where a loop is entered
 *     TURN(id, maximum)  in the loop's header: executed at most `maximum` times before ENTER(id) is executed again,
 *                        or the loop is left
 *
 * So a cycle that has TURN(id), but not ENTER(id), on each turn ends after `maximum` turns, and needs no check. If a
 * marker is lost, a check is inserted.
 */
#ifndef PLUGIN_MARKER_H
#define PLUGIN_MARKER_H

#include "gcc.h"

/* `stay` says nothing, and only keeps its place. */
enum class marker_kind { none, stay, enter, turn };

struct marker {
	marker_kind kind;
	unsigned id, maximum;
};

/* The statement. */
gimple *marker_statement(marker_kind kind, unsigned id, unsigned maximum);

/* The marker in an instruction; kind `none` for all others. */
marker marker_read(const rtx_insn *insn);

#endif

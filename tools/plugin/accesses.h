/*
 * What an instruction does, as a machine that is simulated has to know it (account.h): how many ordinary instructions
 * it takes the time of, and which memory it reads and writes.
 */
#ifndef PLUGIN_ACCESSES_H
#define PLUGIN_ACCESSES_H

#include <string>
#include <vector>

#include "gcc.h"

/* read_early: its address is known long before, as it is counted from the stack or fixed, so that a processor does not
 * wait for what it reads before it. */
enum class access_kind { read, read_early, prefetch, write, atomic, prefetch_write };

struct memory_access {
	access_kind kind;
	rtx address;
};

/* In the order in which they happen. Left out is what no other processor can see or that never changes: thread-local
 * words, tables of addresses, and what an asm statement does not tell. */
std::vector<memory_access> accesses_of(const rtx_insn *insn);

/* What an instruction does beside: "fence", "pause"; or for strings, which rdi, rsi and rcx describe, "copy" or "fill"
 * with the bytes of an element. Empty: nothing. */
std::string effect_of(const rtx_insn *insn);

/* In ordinary instructions; what a function of assembly takes is its callers'. */
unsigned weight_of(rtx_insn *insn);

/* What a function is entered through beside its own code: that of STACK_ENTRY() (arch/x86_64/stack_entry.h). */
unsigned weight_of_entry(tree function);

/* Whether an address is counted from the stack pointer or the pointer of the function's frame. */
bool is_on_stack(const_rtx address);

#endif

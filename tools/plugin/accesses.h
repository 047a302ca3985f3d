/*
 * What a simulated machine has to know of an instruction (account.h): its time, in ordinary instructions, and the
 * memory that it reads and writes.
 */
#ifndef PLUGIN_ACCESSES_H
#define PLUGIN_ACCESSES_H

#include <string>
#include <vector>

#include "gcc.h"

/* read_early: the address is known long before, so the read does not wait for earlier reads. Here these are addresses
 * that are relative to the stack pointer, or fixed; array_reads.h tells of others. */
enum class access_kind { read, read_early, prefetch, write, atomic, prefetch_write };

struct memory_access {
	access_kind kind;
	rtx address;
};

/* In the order in which they happen. Left out are memory that no other processor sees or that never changes
 * (thread-local words, tables of addresses), and what an asm statement does not tell. */
std::vector<memory_access> accesses_of(const rtx_insn *insn);

/* Another effect of an instruction: "fence", "pause"; "divide" with the bytes of its numbers, 4 or 8; or for strings,
 * which rdi, rsi and rcx describe, "copy" or "fill" with the bytes of an element. Empty: none. */
std::string effect_of(const rtx_insn *insn);

/* In ordinary instructions; what a function of assembly takes is its callers'. */
unsigned weight_of(rtx_insn *insn);

/* What a function is entered through beside its own code: that of STACK_ENTRY() (arch/x86_64/stack_entry.h). */
unsigned weight_of_entry(tree function);

/* Whether an address is counted from the stack pointer or the pointer of the function's frame. */
bool is_on_stack(const_rtx address);

#endif

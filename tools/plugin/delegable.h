/*
 * Advice: which critical sections can be delegated (delegation paper, section 8). For each section between a lock and
 * its unlock in one function, one note of the compiler says how, or why not:
 *
 *     this section can be delegated detached       nothing of it is used afterwards: the task need not wait
 *     this section can be delegated and awaited    the task has to wait until it was carried out
 *     this section cannot be delegated             it is no function that any task can carry out at once
 *
 * Nothing is changed. Start with sections.h: what a section is, and how it is found.
 */
#ifndef PLUGIN_DELEGABLE_H
#define PLUGIN_DELEGABLE_H

/* A pass over GIMPLE, as soon as it is in SSA form and before anything is inlined. */
struct opt_pass *delegable_pass_create();

#endif

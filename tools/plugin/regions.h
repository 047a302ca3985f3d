/*
 * Errors that can be seen while compiling: a call that may switch the task where it must not be switched, and
 * code that foreign code calls back.
 */
#ifndef PLUGIN_REGIONS_H
#define PLUGIN_REGIONS_H

/* A pass over GIMPLE, as soon as there is a flow graph and before anything is inlined. */
struct opt_pass *regions_pass_create();

#endif

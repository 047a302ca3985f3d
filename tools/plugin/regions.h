/*
 * Errors that can be found while compiling: calls that may switch the task where it must not be switched, and in code
 * that foreign code calls back.
 */
#ifndef PLUGIN_REGIONS_H
#define PLUGIN_REGIONS_H

/* A pass over GIMPLE, as soon as there is a flow graph and before anything is inlined. */
struct opt_pass *regions_pass_create();

#endif

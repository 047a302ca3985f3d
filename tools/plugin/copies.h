/*
 * -fsplit-stack. Small inline functions of which another object has the code, as those of std::string, which is an
 * explicit instantiation: a call is one of foreign code (calls.h), which costs more than such a function does. So the
 * unit gets a copy of its own, which is compiled with the plugin and called like any local function. A function that is
 * inline may be copied anyhow; its address remains that of the other object's.
 */
#ifndef PLUGIN_COPIES_H
#define PLUGIN_COPIES_H

#include "gcc.h"

/* A pass over all functions of the unit. */
opt_pass *copies_pass_create();

#endif

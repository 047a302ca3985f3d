/*
 * Link-time optimization: the code is generated when linking, so the plugin must be there then. A unit that was
 * compiled with the plugin needs a symbol that only the plugin defines, at link time too. Without it the linker
 * stops, and the symbol's name says why.
 *
 * GCC does not pass -fsplit-stack on to the link: each function says that it was compiled so.
 */
#ifndef PLUGIN_LINK_TIME_H
#define PLUGIN_LINK_TIME_H

/* At the start and the end of a unit. */
void link_time_demand();
void link_time_supply();

/* When the unit has been read: what kind of stack it is compiled for, kept with its code, and taken from there. */
void link_time_keep_stacks();
void link_time_choose_stacks();

/* Whether this run of the compiler emits the final code. */
bool link_time_is_code_final();

#endif

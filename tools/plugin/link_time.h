/*
 * Link-time optimization: the code is generated when linking, so the plugin must be there then. A unit that was
 * compiled with the plugin needs a symbol that only the plugin defines, at link time too. Without it the linker
 * stops, and the symbol's name says why.
 */
#ifndef PLUGIN_LINK_TIME_H
#define PLUGIN_LINK_TIME_H

/* At the start and the end of a unit. */
void link_time_demand();
void link_time_supply();

/* Whether this run of the compiler emits the final code. */
bool link_time_is_code_final();

#endif

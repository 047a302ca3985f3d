/*
 * Link-time optimization: the code is made when linking, so the plugin has to be there then. What was
 * compiled with the plugin needs a symbol that only the plugin gives, at link time too; without it the linker
 * stops, and the symbol's name says why.
 */
#ifndef PLUGIN_LINK_TIME_H
#define PLUGIN_LINK_TIME_H

/* At the start and the end of a unit. */
void link_time_demand();
void link_time_supply();

/* Whether this run of the compiler emits code that stays. */
bool link_time_is_code_final();

#endif

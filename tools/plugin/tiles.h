/*
 * Tile registers (AMX): 8 KiB that a check does not save, and that the compiler does not know: they are only in asm
 * statements, the compiler's own headers included. So they may be used in uncooperative functions alone.
 */
#ifndef PLUGIN_TILES_H
#define PLUGIN_TILES_H

#include "gcc.h"

/* Whether the function uses none where a check may be; if it does, an error has been reported. */
bool tiles_are_untouched(function *compiled);

#endif

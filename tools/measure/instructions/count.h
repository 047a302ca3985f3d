/*
 * What the plug-in count.c counts: parts of a run, and gaps between checks. Each takes its own kinds of marks, and
 * does nothing without any.
 */
#ifndef INSTRUCTIONS_COUNT_H
#define INSTRUCTIONS_COUNT_H

#include <stdio.h>

#include "plugin.h"

_Noreturn void count_refuse(const char *reason);

/* Whether it has this kind of mark. */
bool parts_mark(const char *kind, uint64_t address);
bool gaps_mark(const char *kind, uint64_t address);

void parts_translated(struct qemu_plugin_tb *);
void gaps_translated(struct qemu_plugin_tb *);

void parts_print(FILE *);
void gaps_print(FILE *);

#endif

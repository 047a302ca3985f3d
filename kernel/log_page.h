/*
 * A log on a screen: its lines as rows, a line that is longer than a row on several.
 */
#ifndef KERNEL_LOG_PAGE_H
#define KERNEL_LOG_PAGE_H

#include "kernel/log_record.h"

#define LOG_COLUMNS_MAXIMUM 512

/* Call show() with the rows from `first` on, `count` at most, each with its number from 0 on. A row has `columns`
 * characters at most, 1 to LOG_COLUMNS_MAXIMUM. Returns how many rows there are in all; show() NULL: nothing more. */
unsigned log_rows(struct log_reader log, unsigned columns, unsigned first, unsigned count,
                  void (*show)(unsigned row, const char *text));

#endif

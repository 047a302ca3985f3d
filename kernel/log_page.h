/*
 * A log on a screen: its lines as rows. A line that is longer than a row takes several.
 */
#ifndef KERNEL_LOG_PAGE_H
#define KERNEL_LOG_PAGE_H

#include "kernel/log_record.h"

#define LOG_COLUMNS_MAXIMUM 512

/* Call show() with at most `count` rows from number `first` on, each with its number, which counts from 0. A row has
 * `columns` characters at most, 1 to LOG_COLUMNS_MAXIMUM. Returns how many rows there are in all; with show() NULL
 * that is all. */
unsigned log_rows(struct log_reader log, unsigned columns, unsigned first, unsigned count,
                  void (*show)(unsigned row, const char *text));

#endif

#include "kernel/log_page.h"

#include <string.h>

#include "kernel/console.h"

unsigned log_rows(struct log_reader log, unsigned columns, unsigned first, unsigned count,
                  void (*show)(unsigned row, const char *text))
{
	char line[CONSOLE_LINE_MAXIMUM + 1], text[LOG_COLUMNS_MAXIMUM + 1];
	unsigned rows = 0;
	while (log_read(&log, line, sizeof(line))) {
		size_t at = 0, length = strlen(line);
		do {
			size_t part = length - at < columns ? length - at : columns;
			if (show && rows >= first && rows - first < count) {
				memcpy(text, line + at, part);
				text[part] = 0;
				show(rows - first, text);
			}
			rows++;
			at += part;
		} while (at < length);
	}
	return rows;
}

/*
 * A database in memory, filled from a seed and queried, by SQLite. Needs nothing of Heddle:
 * tools/checks/ports_reference.c does the same with the host's C library.
 */
#ifndef USER_PORTS_DATABASE_H
#define USER_PORTS_DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct database_outcome {
	uint64_t checksum, rows; /* of all answers */
	char complaint[160];     /* SQLite's message if something failed */
};

/* Call before the first database, and after the last. False: there is no memory. */
bool database_begin(void);
void database_end(void);

/* Fill a new database with that many rows, query it, change it and query it again. False: it failed. */
bool database_run(uint64_t seed, uint64_t rows, struct database_outcome *outcome);

#endif

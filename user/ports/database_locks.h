#ifndef USER_PORTS_DATABASE_LOCKS_H
#define USER_PORTS_DATABASE_LOCKS_H

#include <stdbool.h>

/* Make SQLite use Heddle's mutexes for what all databases share. Before database_begin(); false: SQLite refused. */
bool database_use_locks(void);

#endif

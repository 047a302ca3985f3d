#ifndef USER_PORTS_DATABASE_LOCKS_H
#define USER_PORTS_DATABASE_LOCKS_H

#include <stdbool.h>

/* Have SQLite use Heddle's mutexes for what all databases share. Before database_begin(); false: it would not. */
bool database_use_locks(void);

#endif

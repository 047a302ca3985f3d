/*
 * LevelDB's locks on Heddle's: one kind for the whole program, a mutex of user/bench/lock_choice.h with the condition
 * of user/bench/condition_choice.h. Made for port/port_stdcxx.h, which is C++ and cannot include those.
 *
 * Only tasks may call these, except port_lock_choose().
 */
#ifndef LEVELDB_LOCK_H
#define LEVELDB_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PORT_MUTEX_WORDS     64
#define PORT_CONDITION_WORDS 8

struct port_mutex {
	uint64_t room[PORT_MUTEX_WORDS];
};

struct port_condition {
	uint64_t room[PORT_CONDITION_WORDS];
};

/* How often locks of the kind `exchange` were acquired, and how often that meant waiting: the sum of all locks
 * destroyed so far. */
struct port_lock_totals {
	uint64_t acquisitions, contended;
};

/* "exchange", "dispatch", "inline" or "ces-spin", before the first mutex is created. False: none of these. */
bool port_lock_choose(const char *name);
struct port_lock_totals port_lock_count(void);

void port_mutex_create(struct port_mutex *mutex);
void port_mutex_destroy(struct port_mutex *mutex);
void port_mutex_lock(struct port_mutex *mutex);
void port_mutex_unlock(struct port_mutex *mutex);

/* With the mutex held. */
void port_condition_create(struct port_condition *condition);
void port_condition_wait(struct port_condition *condition, struct port_mutex *mutex);
void port_condition_notify_one(struct port_condition *condition, struct port_mutex *mutex);
void port_condition_notify_all(struct port_condition *condition, struct port_mutex *mutex);

#ifdef __cplusplus
}
#endif

#endif

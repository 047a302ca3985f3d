/* Preparations for the first use of a lock. */
#ifndef SYNC_START_H
#define SYNC_START_H

/* Boot processor, after scheduler_start(). */
void sync_start(void);

#endif

/*
 * The C library's connection to Heddle. errno is the only thing that the used functions keep after a call, and each
 * task has its own.
 */
#ifndef USER_PORTS_LIBRARY_H
#define USER_PORTS_LIBRARY_H

#define LIBRARY_SLOT 3 /* of the task's local values */

/* Set where the calling task's errno is, before anything of the C library is called. It must exist as long.
 */
void library_begin(int *error);

#endif

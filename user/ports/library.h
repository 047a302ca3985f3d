/*
 * The C library's side towards Heddle. Of what is used of it, errno is all that a call leaves behind, and
 * each task has its own.
 */
#ifndef USER_PORTS_LIBRARY_H
#define USER_PORTS_LIBRARY_H

#define LIBRARY_SLOT 3 /* of the task's local values */

/* Say where the calling task's errno lies, before anything of the C library is called. It must last as long.
 */
void library_begin(int *error);

#endif

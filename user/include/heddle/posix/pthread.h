/* In front of the system's header of this name: the same names, for tasks. The C++ library includes it for itself,
 * and has those of the host's threads. */
#pragma GCC system_header
#include_next <pthread.h>
#if !defined __cplusplus || !defined _GLIBCXX_GCC_GTHR_POSIX_H || defined __GTHREAD_MUTEX_INIT
#	include <heddle/pthread.h>
#endif

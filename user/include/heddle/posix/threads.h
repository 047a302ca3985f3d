/* In front of the system's header of this name: the same names, for tasks. */
#pragma GCC system_header
#include_next <threads.h>
#include <heddle/threads.h>

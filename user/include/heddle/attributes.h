/*
 * What the compiler's plugin is told of a function, in front of its declaration. Without the plugin they are
 * empty.
 */
#ifndef HEDDLE_ATTRIBUTES_H
#define HEDDLE_ATTRIBUTES_H

#ifdef __HEDDLE_PLUGIN__
#	define HEDDLE_UNCOOPERATIVE_FUNCTION __attribute__((heddle_uncooperative))
#	define HEDDLE_MAY_SWITCH             __attribute__((heddle_may_switch))
#	define HEDDLE_MAY_WAKE               __attribute__((heddle_may_wake))
#	define HEDDLE_DEEP                   __attribute__((heddle_deep))
#	if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#		define HEDDLE_SWITCHES_BY(name) /* a sanitizer has to be told of each switch */
#	else
#		define HEDDLE_SWITCHES_BY(name) __attribute__((heddle_switches_by(name)))
#	endif
#else
/* The function is never switched away in the middle: it gets no checks, and what it calls runs as between
 * uncooperative_begin() and uncooperative_end() (heddle/task.h). */
#	define HEDDLE_UNCOOPERATIVE_FUNCTION
/* The function may switch the task, so in an uncooperative one the call is an error. */
#	define HEDDLE_MAY_SWITCH
/* The function may make a higher task ready, change the quantum, or, but not in an uncooperative section,
 * switch the task: the counter is looked at again. */
#	define HEDDLE_MAY_WAKE
/* The function needs more stack than a task has that is not deep: where stacks grow, its caller takes it when it is
 * called itself, and not at each of the calls. */
#	define HEDDLE_DEEP
/* The function switches the task, so that all registers are lost; it has an entry of this name for callers
 * that know. */
#	define HEDDLE_SWITCHES_BY(name)
#endif

#endif

/*
 * What a declaration tells the compiler's plugin of its function. Without the plugin these are empty.
 */
#ifndef HEDDLE_ATTRIBUTES_H
#define HEDDLE_ATTRIBUTES_H

#ifdef __HEDDLE_PLUGIN__
#	define HEDDLE_UNCOOPERATIVE_FUNCTION __attribute__((heddle_uncooperative))
#	define HEDDLE_MAY_SWITCH             __attribute__((heddle_may_switch))
#	define HEDDLE_MAY_WAKE               __attribute__((heddle_may_wake))
#	define HEDDLE_DEEP                   __attribute__((heddle_deep))
#	if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#		define HEDDLE_SWITCHES_BY(name) /* a sanitizer must be told of each switch */
#	else
#		define HEDDLE_SWITCHES_BY(name) __attribute__((heddle_switches_by(name)))
#	endif
#else
/* No check switches the task away inside the function: it gets no checks, and what it calls runs as between
 * uncooperative_begin() and uncooperative_end() (heddle/task.h). */
#	define HEDDLE_UNCOOPERATIVE_FUNCTION
/* The function may switch the task, so an uncooperative function must not call it. */
#	define HEDDLE_MAY_SWITCH
/* The function may make a higher task ready, change the quantum or, outside an uncooperative section, switch the
 * task: the counter is looked at again. */
#	define HEDDLE_MAY_WAKE
/* The function needs more stack than a task has left in a function that is not deep. Where stacks grow, a caller
 * takes that stack once, at its own beginning, and not at each call. */
#	define HEDDLE_DEEP
/* The function switches the task, so all registers are lost. It has an entry of this name for callers that know that.
 * If it returns anything, NAME_outcome() does so after that entry. */
#	define HEDDLE_SWITCHES_BY(name)
#endif

#endif

/*
 * What the compiler's plugin is told of a function, in front of its declaration. Without the plugin they are
 * empty.
 */
#ifndef HEDDLE_ATTRIBUTES_H
#define HEDDLE_ATTRIBUTES_H

#ifdef __HEDDLE_PLUGIN__
#	define UNCOOPERATIVE __attribute__((heddle_uncooperative))
#	define MAY_SWITCH    __attribute__((heddle_may_switch))
#	define MAY_WAKE      __attribute__((heddle_may_ready))
#	define DEEP          __attribute__((heddle_deep))
#	if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#		define SWITCHES_BY(name) /* a sanitizer has to be told of each switch */
#	else
#		define SWITCHES_BY(name) __attribute__((heddle_switches_by(name)))
#	endif
#else
/* The function is never switched away in the middle: it gets no checks, and what it calls runs as between
 * uncooperative_begin() and uncooperative_end() (heddle/task.h). */
#	define UNCOOPERATIVE
/* The function may switch the task, so in an uncooperative one the call is an error. */
#	define MAY_SWITCH
/* The function may make a higher task ready, change the quantum, or, but not in an uncooperative section,
 * switch the task: the counter is looked at again. */
#	define MAY_WAKE
/* The function needs more stack than a task has that is not deep: where stacks grow, its caller takes it when it is
 * called itself, and not at each of the calls. */
#	define DEEP
/* The function switches the task, so that all registers are lost; it has an entry of this name for callers
 * that know. */
#	define SWITCHES_BY(name)
#endif

#endif

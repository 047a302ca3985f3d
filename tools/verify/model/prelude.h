/*
 * Included before everything else in a case: asserts in the code under test are checked, without the rest of a debug
 * build, and arrays with an entry for each processor are short. The code can tell that it is explored, and not compiled
 * for ThreadSanitizer.
 */
#ifndef MODEL_PRELUDE_H
#define MODEL_PRELUDE_H

#define HEDDLE_EXPLORED

#ifdef HEDDLE_DEBUG
#	include "kernel/panic.h"
#else
#	define HEDDLE_DEBUG
#	include "kernel/panic.h"
#	undef HEDDLE_DEBUG
#endif

#include "kernel/processor.h"

#undef PROCESSORS_MAXIMUM
#define PROCESSORS_MAXIMUM 4

#endif

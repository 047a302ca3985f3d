/*
 * Included before everything else in a case: asserts in the code under test are checked, without the rest of a debug
 * build, and arrays with an entry for each processor are short.
 */
#ifndef MODEL_PRELUDE_H
#define MODEL_PRELUDE_H

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

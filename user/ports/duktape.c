#include "user/ports/interpreter.h"

/* duktape_config.h bounds its recursion. */
static const struct interpreter interpreter = {"duktape", scripts_duktape, script_run_duktape,
                                               (size_t)512 << 10};

static bool run(struct program_run *run)
{
	return interpreter_run(run, &interpreter);
}

static const struct program_parameter parameters[] = {INTERPRETER_PARAMETERS};

HEDDLE_PROGRAM(duktape, "duktape, an interpreter of JavaScript, in each task, its output compared",
               parameters, run);

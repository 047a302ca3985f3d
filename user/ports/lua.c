#include "user/ports/interpreter.h"

/* Lua stops after 200 nested calls through C. Those of string.gsub need the most stack of all that were tried: 409
 * KiB. */
static const struct interpreter interpreter = {"lua", scripts_lua, script_run_lua, (size_t)512 << 10};

static bool run(struct program_run *run)
{
	return interpreter_run(run, &interpreter);
}

static const struct program_parameter parameters[] = {INTERPRETER_PARAMETERS};

HEDDLE_PROGRAM(lua, "Lua's interpreter in each task, its output compared", parameters, run);

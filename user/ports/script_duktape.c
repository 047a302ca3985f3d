#include <string.h>

#include "user/ports/duktape_config.h"
#include "duktape.h"
#include "user/ports/checksum.h"
#include "user/ports/script.h"

/* What script_run_duktape() passes to its part that duktape runs protected. */
struct call {
	const struct script *script;
	duk_double_t size;
};

static struct script_outcome *outcome_of(duk_context *context)
{
	duk_memory_functions memory;
	duk_get_memory_functions(context, &memory);
	return memory.udata;
}

static void output(struct script_outcome *outcome, const char *text, size_t bytes)
{
	outcome->checksum = checksum_add(outcome->checksum, text, bytes);
	outcome->bytes += bytes;
}

/* Its arguments, separated by spaces, as a line. */
static duk_ret_t print(duk_context *context)
{
	struct script_outcome *outcome = outcome_of(context);
	for (duk_idx_t i = 0; i < duk_get_top(context); i++) {
		duk_size_t bytes;
		const char *text = duk_to_lstring(context, i, &bytes);
		if (i > 0)
			output(outcome, " ", 1);
		output(outcome, text, bytes);
	}
	output(outcome, "\n", 1);
	return 0;
}

static duk_ret_t run_protected(duk_context *context, void *argument)
{
	const struct call *call = argument;
	duk_push_c_function(context, print, DUK_VARARGS);
	duk_put_global_string(context, "print");
	duk_push_number(context, call->size);
	duk_put_global_string(context, "size");
	duk_push_string(context, call->script->name);
	duk_compile_lstring_filename(context, 0, call->script->text, call->script->length);
	duk_call(context, 0);
	return 0;
}

/* Called when even an error cannot be handled. */
static void give_up(void *outcome, const char *text)
{
	(void)outcome, (void)text;
	abort();
}

bool script_run_duktape(const struct script *script, uint64_t size, struct script_outcome *outcome)
{
	struct call call = {script, (duk_double_t)size};
	*outcome = (struct script_outcome){.checksum = CHECKSUM_START};
	duk_context *context = duk_create_heap(NULL, NULL, NULL, outcome, give_up);
	if (!context) {
		strncpy(outcome->complaint, "not enough memory for an interpreter", sizeof(outcome->complaint) - 1);
		return false;
	}
	bool well = duk_safe_call(context, run_protected, &call, 0, 1) == DUK_EXEC_SUCCESS;
	if (!well)
		strncpy(outcome->complaint, duk_safe_to_string(context, -1), sizeof(outcome->complaint) - 1);
	duk_destroy_heap(context);
	return well;
}

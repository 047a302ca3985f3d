#include <duktape.h>

#include "program.h"
#include "script.h"

static int run_script(uint64_t *sum)
{
	duk_context *context = duk_create_heap_default();
	int right = 0;
	if (!context)
		return 0;
	if (duk_peval_string(context, script) == 0) {
		const char *text = duk_safe_to_string(context, -1);
		*sum = checksum(*sum, text, strlen(text));
		right = strlen(text) > 1000;
	}
	duk_destroy_heap(context);
	return right;
}

int main(int count, char **arguments)
{
	uint64_t sum = CHECKSUM_START;
	int right = 1;
	for (unsigned round = 0; round < rounds_of(count, arguments) && right; round++)
		right = run_script(&sum);
	return finish("duktape", sum, right);
}

#include <mujs.h>

#include "program.h"
#include "script.h"

static int run_script(uint64_t *sum)
{
	js_State *state = js_newstate(NULL, NULL, JS_STRICT);
	int right = 0;
	if (!state)
		return 0;
	if (js_ploadstring(state, "script", script) == 0) {
		js_pushundefined(state);
		if (js_pcall(state, 0) == 0) {
			const char *text = js_tostring(state, -1);
			*sum = checksum(*sum, text, strlen(text));
			right = strlen(text) > 1000;
		}
	}
	js_freestate(state);
	return right;
}

int main(int count, char **arguments)
{
	uint64_t sum = CHECKSUM_START;
	int right = 1;
	for (unsigned round = 0; round < rounds_of(count, arguments) && right; round++)
		right = run_script(&sum);
	return finish("mujs", sum, right);
}

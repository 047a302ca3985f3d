#include "landings.h"

#include <cstring>

#include "entries.h"
#include "except.h"
#include "jumps.h"

#define LANDED "heddle_stack_landed"

bool is_landing(tree callee)
{
	return DECL_NAME(callee) && std::strcmp(IDENTIFIER_POINTER(DECL_NAME(callee)), LANDED) == 0;
}

bool landings_settle(function *compiled)
{
	eh_landing_pad pad;
	bool found = false;
	if (!compiled->eh || unit_is_bare())
		return false;
	for (unsigned i = 1; vec_safe_iterate(compiled->eh->lp_array, i, &pad); i++) {
		if (!pad || !pad->post_landing_pad)
			continue;
		gimple_stmt_iterator first = gsi_after_labels(label_to_block(compiled, pad->post_landing_pad));
		gsi_insert_before(&first, settling_call(LANDED), GSI_SAME_STMT);
		found = true;
	}
	return found;
}

#include "regions.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "attributes.h"
#include "control.h"
#include "gcc.h"
#include "jumps.h"
#include "marker.h"

#define DEPTH_MAXIMUM 16 /* nested regions; deeper nesting counts as this */

static bool is_called(tree callee, const char *name)
{
	return DECL_NAME(callee) && std::strcmp(IDENTIFIER_POINTER(DECL_NAME(callee)), name) == 0;
}

/* How deep in regions a block ends, given how deep it begins. With `report`, give errors on the way. */
static int walk(basic_block basic, int depth, bool report)
{
	for (gimple_stmt_iterator at = gsi_start_bb(basic); !gsi_end_p(at); gsi_next(&at)) {
		gimple *statement = gsi_stmt(at);
		tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
		if (!callee)
			continue;
		if (is_called(callee, "uncooperative_begin"))
			depth = std::min(depth + 1, DEPTH_MAXIMUM);
		else if (is_called(callee, "uncooperative_end"))
			depth = std::max(depth - 1, 0);
		else if (report && depth > 0 && may_switch(callee))
			error_at(gimple_location(statement),
			         "heddle: %qD may switch the task, which is uncooperative here", callee);
	}
	return depth;
}

static void regions_examine(function *compiled)
{
	std::vector<int> begins(last_basic_block_for_fn(compiled), -1);
	begins[ENTRY_BLOCK] = is_uncooperative(compiled->decl);
	std::vector<basic_block> changed = {ENTRY_BLOCK_PTR_FOR_FN(compiled)};
	while (!changed.empty()) {
		basic_block basic = changed.back();
		changed.pop_back();
		int ends = walk(basic, begins[basic->index], false);
		edge e;
		edge_iterator iterator;
		FOR_EACH_EDGE(e, iterator, basic->succs)
		{
			if (e->dest->index == EXIT_BLOCK || begins[e->dest->index] >= ends)
				continue;
			begins[e->dest->index] = ends;
			changed.push_back(e->dest);
		}
	}
	basic_block basic;
	FOR_EACH_BB_FN(basic, compiled)
	if (begins[basic->index] >= 0)
		walk(basic, begins[basic->index], true);
}

/* A call that hands over the counter must not become a sibling call, since the counter is loaded after it: a
 * statement without code prevents that. */
static void keep_from_the_end(gimple_stmt_iterator *at)
{
	tree callee = gimple_call_fndecl(gsi_stmt(*at));
	if (callee && hands_over_counter(callee) && !stmt_ends_bb_p(gsi_stmt(*at)))
		gsi_insert_after(at, marker_statement(marker_kind::stay, 0, 0), GSI_NEW_STMT);
}

static const pass_data regions_data = {
    GIMPLE_PASS, "heddle-regions", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0};

class regions_pass : public gimple_opt_pass
{
  public:
	regions_pass() : gimple_opt_pass(regions_data, g)
	{
	}

	unsigned execute(function *compiled) override
	{
		regions_examine(compiled);
		control_keep(compiled);
		jumps_settle(compiled);
		basic_block basic;
		FOR_EACH_BB_FN(basic, compiled)
		for (gimple_stmt_iterator at = gsi_start_bb(basic); !gsi_end_p(at); gsi_next(&at))
			if (is_gimple_call(gsi_stmt(at)))
				keep_from_the_end(&at);
		return 0;
	}
};

opt_pass *regions_pass_create()
{
	return new regions_pass;
}

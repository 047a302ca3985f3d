/*
 * Heddle's plugin for GCC 12 to 16 (scheduler paper, section 3.1): inserts checks of the task's quantum, so that no
 * path through the code runs longer than a bound between two of them. Start reading at checks_insert().
 */
#include "gcc.h"

#include "account.h"
#include "attributes.h"
#include "calls.h"
#include "control.h"
#include "copies.h"
#include "counter.h"
#include "delegable.h"
#include "emission.h"
#include "entries.h"
#include "growth.h"
#include "landings.h"
#include "lean_calls.h"
#include "link_time.h"
#include "live.h"
#include "loops.h"
#include "note.h"
#include "options.h"
#include "placement.h"
#include "preserve_none.h"
#include "regions.h"
#include "runtime.h"
#include "tiles.h"
#include "turns.h"

int plugin_is_GPL_compatible; /* GCC loads no other */

extern struct cpp_reader *parse_in __attribute__((weak)); /* lto1 has none */

static void note_count(const flow &flow)
{
	note.checks += flow.check_count();
	note.without_check += flow.check_count() == 0;
	note.assembly += flow.assembly;
	note.repeated += flow.repeated;
	note.thread_local_accesses += flow.thread_local_accesses;
}

struct plan {
	struct flow flow;
	struct distances distances;
	bool differs; /* from one with the checks of loops elsewhere */

	explicit plan(turn_place place) : flow(cfun), distances{}, differs(cycles_break(flow, place))
	{
		distances = checks_place(flow);
	}
};

/* The plan whose checks cost least. */
static plan plan_choose()
{
	plan best(turn_place::first);
	if (best.differs)
		for (turn_place place : {turn_place::rarest, turn_place::ends})
			if (plan other(place); other.flow.check_cost() < best.flow.check_cost())
				best = std::move(other);
	return best;
}

/* Returns whether the function has any, or calls one that may have some. */
static bool checks_insert()
{
	df_analyze();
	calculate_dominance_info(CDI_DOMINATORS);
	cold_ends ends;
	plan plan = plan_choose();
	flow &flow = plan.flow;
	const distances &distances = plan.distances;
	charges charges(flow);
	const bool checks = flow.check_count() > 0 || flow.calls_check();
	callee_remember(cfun->decl, checks, distances.ways, flow.entry_check ? 0 : charges.before_checks());
	note.longest = std::max(note.longest, distances.longest);
	note_count(flow);
	checks_emit(flow, charges, ends);
	free_dominance_info(CDI_DOMINATORS);
	return checks;
}

static bool is_left_alone(tree declaration)
{
	return is_resolver(declaration) || lookup_attribute("naked", DECL_ATTRIBUTES(declaration));
}

/* To find uses after a return, the address sanitizer keeps variables in memory that is a thread's, and a task may go on
 * in another thread. An attribute or pragma may switch that on again for a function. */
static void keep_variables_on_stack()
{
	if (!options.watched)
		param_asan_use_after_return = 0;
}

static const pass_data late_data = {
    GIMPLE_PASS, "heddle-late", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

/* The last pass over GIMPLE, when everything unneeded is gone. */
class late_pass : public gimple_opt_pass
{
  public:
	late_pass() : gimple_opt_pass(late_data, g)
	{
	}

	unsigned execute(function *compiled) override
	{
		keep_variables_on_stack();
		preserve_none_return(compiled);
		const bool lands = landings_settle(compiled), looks = errors_keep(compiled);
		if (!lands && !looks)
			return 0;
		mark_virtual_operands_for_renaming(compiled);
		return TODO_update_ssa_only_virtuals;
	}
};

/* An attribute or pragma may switch that on again for a function. */
static const pass_data calls_data = {RTL_PASS, "heddle-calls", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0};

class calls_pass : public rtl_opt_pass
{
  public:
	calls_pass() : rtl_opt_pass(calls_data, g)
	{
	}

	unsigned execute(function *) override
	{
		flag_ipa_ra = 0;
		return 0;
	}
};

static const pass_data checks_data = {RTL_PASS, "heddle-checks", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0};

/* After register allocation, scheduling and block layout: the flow is now what will run, and it is known which
 * registers are live. */
class checks_pass : public rtl_opt_pass
{
  public:
	checks_pass() : rtl_opt_pass(checks_data, g)
	{
	}

	unsigned execute(function *compiled) override
	{
		note.functions++;
		growth_compare_frame(compiled);
		if (!counter_is_untouched(compiled) || !tiles_are_untouched(compiled) ||
		    is_left_alone(compiled->decl))
			return 0;
		counter_hand_over(compiled);
		lean_calls_emit(compiled);
		const bool uncooperative = is_uncooperative(compiled->decl);
		note.uncooperative += uncooperative;
		const bool cares = uncooperative || checks_insert();
		if (!cares)
			growth_spare_leaf(compiled);
		growth_open(compiled);
		calls_redirect(compiled);
		entries_emit(compiled, cares);
		return 0;
	}
};

static const pass_data account_data = {RTL_PASS, "heddle-account", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0};

/* Behind the checks, which are executed as well. */
class account_pass : public rtl_opt_pass
{
  public:
	account_pass() : rtl_opt_pass(account_data, g)
	{
	}

	unsigned execute(function *compiled) override
	{
		if (!is_left_alone(compiled->decl))
			account_emit(compiled);
		return 0;
	}
};

/* The first pass over a whole program, which is divided afterwards. */
static void program_read(void *, void *name)
{
	link_time_choose_stacks();
	unregister_callback((const char *)name, PLUGIN_PASS_EXECUTION);
}

/* Heddle's own sanitized builds allow them. */
static void refuse_sanitizers()
{
	if (flag_sanitize & SANITIZE_THREAD)
		error("heddle: %<-fsanitize=thread%> must be told of each switch of tasks, and the library does not "
		      "tell it: it would report errors that are none, or crash; compile without it");
	if ((flag_sanitize & SANITIZE_ADDRESS) && flag_split_stack)
		error("heddle: %<-fsanitize=address%> works on whole stacks only: leave out %<-fsplit-stack%>");
}

static void unit_start(void *, void *name)
{
	if (!options.off && flag_wpa)
		register_callback((const char *)name, PLUGIN_PASS_EXECUTION, program_read, name);
	options_complete();
	if (!options.off && (flag_openmp || flag_openacc || flag_tree_parallelize_loops > 1))
		error("heddle: OpenMP, OpenACC and %<-ftree-parallelize-loops%> run parts of functions on threads "
		      "that are no "
		      "processors: compile without them");
	if (!options.off && !options.watched)
		refuse_sanitizers();
	if (!options.off && (!TARGET_64BIT || TARGET_X32))
		error("heddle: the plugin is for x86-64, without %<-m32%>, %<-mx32%> or %<-m16%>");
	if (!options.off && TARGET_64BIT && ix86_cmodel != CM_SMALL && ix86_cmodel != CM_SMALL_PIC &&
	    ix86_cmodel != CM_KERNEL)
		error("heddle: code of model %<-mcmodel=medium%> or %<large%> cannot reach what the checks call");
	if (!options.off && options.preserve_none_list && (flag_lto || in_lto_p))
		error("heddle: %<preserve-none%> goes by names, which %<-flto%> may change; use "
		      "%<preserve-none-auto%>");
	if (!options.off && options.polls && unit_is_bare())
		error("heddle: %<poll%> is for the hosted program: nothing ends quanta on a bare machine");
	if (!options.off) {
		link_time_demand();
		/* With -fno-plt it cannot be seen which function is called; and calls use no PLT anyway (calls.h). */
		flag_plt = 1;
	}
	/* 2: its checks poll. */
	if (&parse_in && parse_in && !options.off && !cpp_get_options(parse_in)->preprocessed)
		cpp_define(parse_in, options.polls ? "__HEDDLE_PLUGIN__=2" : "__HEDDLE_PLUGIN__=1");
}

/* All functions are there. */
static void unit_read(void *, void *)
{
	entries_keep();
	link_time_keep_stacks();
	link_time_choose_stacks();
}

static void unit_finish(void *, void *)
{
	link_time_supply();
	if (!link_time_is_code_final())
		return;
	ways_write();
	entries_write();
	runtime_write();
	note_write();
}

/* The compiler must assume that a callee changes every register that a call may change: a check in it may switch. */
static void assume_calls_change_registers()
{
	flag_ipa_ra = 0;
	global_options_set.x_flag_ipa_ra = 1;
}

static void passes_register(const char *name)
{
	register_pass_info passes[] = {
	    {copies_pass_create(), "opt_local_passes", 1, PASS_POS_INSERT_AFTER},
	    {regions_pass_create(), "cfg", 1, PASS_POS_INSERT_AFTER},
	    {turns_pass_create(), "ivopts", 1, PASS_POS_INSERT_BEFORE},
	    {new late_pass, "optimized", 1, PASS_POS_INSERT_BEFORE},
	    {lean_calls_pass_create(), "vregs", 1, PASS_POS_INSERT_BEFORE},
	    {new calls_pass, "ira", 1, PASS_POS_INSERT_BEFORE},
	    {x87_pass_create(), "stack", 1, PASS_POS_INSERT_BEFORE},
	    {new checks_pass, "alignments", 1, PASS_POS_INSERT_AFTER},
	};
	for (register_pass_info &pass : passes)
		register_callback(name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &pass);
}

static void account_register(const char *name)
{
	register_pass_info pass = {new account_pass, options.off ? "alignments" : "heddle-checks", 1,
	                           PASS_POS_INSERT_AFTER};
	register_callback(name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &pass);
}

static void delegable_register(const char *name)
{
	register_pass_info pass = {delegable_pass_create(), "ssa", 1, PASS_POS_INSERT_AFTER};
	register_callback(name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &pass);
}

static bool version_is_right(plugin_gcc_version *running)
{
	if (plugin_default_version_check(running, &gcc_version))
		return true;
	error("heddle: the plugin was built for GCC %s, and this is GCC %s: build it again for this one",
	      gcc_version.basever, running->basever);
	return false;
}

int plugin_init(struct plugin_name_args *arguments, struct plugin_gcc_version *version)
{
	if (!version_is_right(version) || !options_read(arguments))
		return 1;
	register_callback(
	    arguments->base_name, PLUGIN_ATTRIBUTES, [](void *, void *) { attributes_register(); }, nullptr);
	register_callback(arguments->base_name, PLUGIN_START_UNIT, unit_start, (void *)arguments->base_name);
	if (options.delegable)
		delegable_register(arguments->base_name);
	if (options.off && options.account)
		account_register(arguments->base_name);
	if (options.off)
		return 0;
	assume_calls_change_registers();
	counter_reserve();
	passes_register(arguments->base_name);
	if (options.account)
		account_register(arguments->base_name);
	register_callback(arguments->base_name, PLUGIN_FINISH_DECL, error_place_declared, nullptr);
	register_callback(arguments->base_name, PLUGIN_PRE_GENERICIZE, uncooperative_wrap, nullptr);
	register_callback(arguments->base_name, PLUGIN_ALL_IPA_PASSES_START, unit_read, nullptr);
	register_callback(arguments->base_name, PLUGIN_ALL_PASSES_START, preserve_none_decide,
	                  (void *)arguments->base_name);
	register_callback(arguments->base_name, PLUGIN_ALL_PASSES_END, preserve_none_end, nullptr);
	register_callback(arguments->base_name, PLUGIN_FINISH_UNIT, unit_finish, nullptr);
	return 0;
}

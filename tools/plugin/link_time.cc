#include "link_time.h"

#include <cstring>

#include "gcc.h"

#define GROWS  "heddle grows" /* an attribute that no source can have */
#define SYMBOL "heddle_plugin_missing__give_fplugin_when_linking_with_lto_too"

/* An asm statement of the file goes the way of its code. */
void link_time_demand()
{
	if (!flag_generate_lto || in_lto_p)
		return;
	static const char text[] =
	    "\t.pushsection .data.heddle_link_time,\"aw\"\n\t.quad " SYMBOL "\n\t.popsection";
	symtab->finalize_toplevel_asm(build_string(sizeof(text) - 1, text));
}

void link_time_supply()
{
	bool demanded = in_lto_p || (flag_generate_lto && flag_fat_lto_objects);
	if (demanded && link_time_is_code_final())
		fprintf(asm_out_file, "\t.weak\t" SYMBOL "\n\t.set\t" SYMBOL ", 1\n");
}

void link_time_keep_stacks()
{
	cgraph_node *node;
	if (!flag_generate_lto || in_lto_p || !flag_split_stack)
		return;
	FOR_EACH_DEFINED_FUNCTION(node)
	DECL_ATTRIBUTES(node->decl) = tree_cons(get_identifier(GROWS), NULL_TREE, DECL_ATTRIBUTES(node->decl));
}

void link_time_choose_stacks()
{
	cgraph_node *node;
	tree grows = NULL_TREE, whole = NULL_TREE;
	if (!in_lto_p)
		return;
	FOR_EACH_DEFINED_FUNCTION(node)
	(lookup_attribute(GROWS, DECL_ATTRIBUTES(node->decl)) ? grows : whole) = node->decl;
	flag_split_stack = grows != NULL_TREE;
	/* In one part of a program there may be functions of the compiler's own. */
	if (grows && whole && !flag_ltrans)
		error(
		    "heddle: with %<-flto%> either all is compiled with %<-fsplit-stack%> or nothing: %qD is, %qD is "
		    "not",
		    grows, whole);
}

bool link_time_is_code_final()
{
	return !flag_wpa && (in_lto_p || !flag_generate_lto || flag_fat_lto_objects);
}

#include "link_time.h"

#include <cstring>

#include "gcc.h"

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

bool link_time_is_code_final()
{
	return !flag_wpa && (in_lto_p || !flag_generate_lto || flag_fat_lto_objects);
}

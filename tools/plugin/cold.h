/*
 * Rare code goes out of line, to the end of its part of the function, hot or cold.
 */
#ifndef PLUGIN_COLD_H
#define PLUGIN_COLD_H

#include <string>
#include <unordered_map>

#include "gcc.h"

/* The ends of the parts of a function. */
class cold_ends
{
  public:
	/* The last block of the part that a block lies in. Change it when another block is put behind it. */
	basic_block &of(basic_block basic);

  private:
	std::unordered_map<int, basic_block> ends; /* by partition */
};

struct cold_branch {
	basic_block from, back; /* from the end of one block, which goes on in the other ... */
	std::string jump;       /* ... unless the text's last instruction jumps to %l0: */
	rtx_insn *instructions; /* then these are executed, before it goes on there too */
	location_t location;
};

void cold_emit(cold_ends &ends, const cold_branch &branch);

#endif

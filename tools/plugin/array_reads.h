/*
 * Which reads of a simulated program do not wait for earlier ones (account.h): those of arrays. The address of such a
 * read differs from turn to turn of a loop, but follows from nothing that the loop reads or calls. So a processor that
 * looks ahead knows it before earlier reads have ended. A list is another matter: there each read gives the address of
 * the next.
 */
#ifndef PLUGIN_ARRAY_READS_H
#define PLUGIN_ARRAY_READS_H

#include <map>

#include "gcc.h"

class array_reads
{
  public:
	/* Finds the loops of the function, of which the instructions are final. */
	explicit array_reads(function *compiled);

	/* Whether the address of an access in that block is such a one, by the innermost loop around it. */
	bool has(basic_block basic, const_rtx address) const;

  private:
	struct registers {
		HARD_REG_SET set;     /* in the loop */
		HARD_REG_SET unknown; /* those of them that depend on what it reads or calls */
	};
	std::map<int, registers> in_loop; /* by the index of a block in it */

	static registers find(class loop *loop);
};

#endif

/* Compiled twice, with FUNCTION as the name. */
#include "calls.h"

unsigned FUNCTION(unsigned number)
{
	return number * 1664525 + 1013904223;
}

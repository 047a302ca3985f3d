#include "outside.h"

unsigned outside_sum(struct large value)
{
	unsigned sum = 0;
	for (unsigned char byte : value.bytes)
		sum += byte;
	return sum;
}

unsigned outside_call(unsigned (*function)(struct large value, void *argument), struct large value,
                      void *argument)
{
	unsigned found = function(value, argument);
	return found + outside_sum(value);
}

bool outside_land(void (*function)(jmp_buf *place))
{
	jmp_buf place;
	if (setjmp(place))
		return true;
	function(&place);
	return false;
}

unsigned outside_visit(visitor &visitor, unsigned below)
{
	unsigned sum = 0;
	for (unsigned number = 0; number < below; number++)
		sum += visitor.visit(number);
	return sum;
}

/*
 * What tasks keep on the bare machine: there is no run-time library of C or C++.
 */
#include "arch/x86_64/kept.h"

const uint8_t arch_kept_at_checks = 0;

uint8_t arch_kept_leave(struct arch_kept *kept, uint8_t keeps)
{
	if (keeps & ARCH_KEEPS_CONTROL)
		kept->control = kept_control_leave(ARCH_CONTROL_DEFAULT);
	return keeps & ARCH_KEEPS_CONTROL;
}

uint8_t arch_kept_return(const struct arch_kept *kept, uint8_t keeps)
{
	if (keeps & ARCH_KEEPS_CONTROL)
		kept_control_return(kept->control);
	return keeps;
}

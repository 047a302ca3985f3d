/*
 * Exceptions that leave a call back. Its caller may catch them, and is foreign code, which does not look for calls
 * back that were left. So the unwinder tells us of each on its way, through a personality routine.
 */
#include <unwind.h>

#include "arch/arch.h"
#include "kernel/processor.h"

#define FRAME_POINTER 6 /* rbp, in the numbers of DWARF */

/* Part of the runtime library of C++, and of a program that raises any exception. */
__attribute__((weak)) _Unwind_Word _Unwind_GetGR(struct _Unwind_Context *, int);

/* Below the address in the frame pointer of heddle_callback_outside() (callback.asm). */
struct callback_frame {
	int64_t depth; /* calls back before this one; negative: no processor */
	uintptr_t limit;
	uint64_t counter, chain, vectors, bytes;
};

/* Called by the unwinder. */
_Unwind_Reason_Code heddle_callback_unwound(int version, _Unwind_Action actions, _Unwind_Exception_Class kind,
                                            struct _Unwind_Exception *exception,
                                            struct _Unwind_Context *context);

_Unwind_Reason_Code heddle_callback_unwound(int version, _Unwind_Action actions, _Unwind_Exception_Class kind,
                                            struct _Unwind_Exception *exception,
                                            struct _Unwind_Context *context)
{
	(void)version, (void)kind, (void)exception;
	if (!(actions & _UA_CLEANUP_PHASE) || !_Unwind_GetGR)
		return _URC_CONTINUE_UNWIND;
	const struct callback_frame *frame =
	    (const struct callback_frame *)_Unwind_GetGR(context, FRAME_POINTER) - 1;
	struct processor *processor = processor_current();
	arch_stack_limit_set(frame->limit);
	if (frame->depth >= 0)
		callbacks_keep(processor, (uint32_t)frame->depth);
	return _URC_CONTINUE_UNWIND;
}

/*
 * Checks the numbers of processor.inc against the structures. Of all files of arch/, only this one includes sched/.
 */
#include "arch/x86_64/layout.h"

#include <stddef.h>

#include "arch/arch.h"
#include "arch/x86_64/generator.h"
#include "kernel/processor.h"
#include "sched/growth.h"
#include "sched/scheduler.h"

#define IS_AT(number, type, field) \
	_Static_assert(LAYOUT_##number == offsetof(type, field), #number " in processor.inc")
#define IS_VALUE(number, value) _Static_assert(LAYOUT_##number == (value), #number " in processor.inc")

IS_AT(SELF, struct processor, self);
IS_AT(SCHEDULER, struct processor, scheduler);
IS_AT(QUANTUM, struct processor, quantum);
IS_AT(UNCOOPERATIVE, struct processor, uncooperative);
IS_VALUE(DEPTH, offsetof(struct processor, uncooperative) + sizeof(uint16_t));
_Static_assert(CALLBACK_ONE == 1 << 16, "DEPTH in processor.inc");
IS_AT(STACK_FREE, struct processor, stack_free);
IS_AT(LIMIT_LEFT, struct processor, limit_left);
IS_AT(STACK_TAKEN, struct processor, stack_taken);
IS_AT(CALLBACKS, struct processor, callbacks);
_Static_assert(sizeof(struct processor) <= LAYOUT_PROCESSOR_SIZE, "PROCESSOR_SIZE in processor.inc");
IS_VALUE(CALLBACKS_MOST, CALLBACKS_MOST);

IS_AT(CURRENT, struct scheduler, current);
IS_AT(OWED, struct scheduler, owed);
IS_AT(OWED_REST, struct scheduler, owed_rest);

IS_AT(CONTEXT_STACK_POINTER, struct arch_context, stack_pointer);
IS_AT(CONTEXT_LIMIT, struct arch_context, limit);
IS_VALUE(CONTEXT_FIRST, (sizeof(struct saved_context) + 15) & ~(size_t)15);

IS_AT(RESUMER_FRAME, struct generator_resumer, frame_pointer);
IS_AT(RESUMER_ADDRESS, struct generator_resumer, address);
IS_AT(RESUMER_STACK, struct generator_resumer, stack_pointer);
IS_AT(RESUMER_LOW, struct generator_resumer, low);
IS_AT(RESUMER_OUTER, struct generator_resumer, outer);

IS_VALUE(COUNTER_ENDED, QUANTUM_COUNTER_ENDED);
IS_VALUE(COUNTER_EXACT, QUANTUM_COUNTER_EXACT);
IS_VALUE(COUNTER_MOST, QUANTUM_COUNTER_HALF - 1);
IS_VALUE(LIMIT_GROWS, STACK_GROWS);
IS_VALUE(LIMIT_FOREIGN, STACK_FOREIGN);
IS_VALUE(LIMIT_ABOVE, STACK_RESERVE | STACK_GROWS);

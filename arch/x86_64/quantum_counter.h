/*
 * The quantum's counter, as the compiler's checks find it in register r15d, and the scheduler in the processor's
 * block. Its low half is a signed number, from which checks subtract. A check at the entry of a function looks at the
 * sign; all others look for overflow, 32,768 instructions later. So most programs end their quanta at entries, and the
 * branches of all other checks are never taken: such a branch costs next to nothing (tools/plugin/README.md).
 *
 *     of N instructions    low half          high half   an entry that finds the sign set
 *     0                    -32,768           SPENT       (every check overflows)
 *     1 to 32,768, exact   N - 1 - 32,768    EXACT       goes on: so only overflow ends it
 *     1 to 32,768, late    N - 1             0           ends it; in a loop without an entry, overflow does, later
 *
 * An entry that goes on takes some 3 ns (heddle_quantum_spent, arch/x86_64/quantum.asm), so only small counters are
 * exact. When a check has ended one, ENDED is set, and the low half says how late that was.
 *
 * As a number of 32 bits it is positive until it is one of no instructions: checks that poll look at that.
 */
#ifndef ARCH_X86_64_QUANTUM_COUNTER_H
#define ARCH_X86_64_QUANTUM_COUNTER_H

#include <stdint.h>

#define QUANTUM_COUNTER_HALF  0x8000 /* instructions from sign to overflow */
#define QUANTUM_COUNTER_SPENT INT32_MIN
#define QUANTUM_COUNTER_EXACT (INT32_C(1) << 30)
#define QUANTUM_COUNTER_ENDED (INT32_C(1) << 29)

/* It ends at the first check after so many instructions; 0: at the next one. */
static inline int32_t quantum_counter_exact(uint32_t instructions)
{
	if (instructions == 0)
		return QUANTUM_COUNTER_SPENT | QUANTUM_COUNTER_HALF;
	return QUANTUM_COUNTER_EXACT | (int32_t)(QUANTUM_COUNTER_HALF + instructions - 1);
}

/* It ends at the first entry after so many instructions, or at the first check 32,768 later. */
static inline int32_t quantum_counter_late(uint32_t instructions)
{
	return (int32_t)instructions - 1;
}

/* How many instructions are left until the last one, where no check has ended it. */
static inline int32_t quantum_counter_left(int32_t counter)
{
	if (counter & (QUANTUM_COUNTER_SPENT | QUANTUM_COUNTER_EXACT))
		counter ^= QUANTUM_COUNTER_HALF;
	return (int16_t)counter;
}

/* How many instructions after its last one a check has ended it; 0: none has. */
static inline uint32_t quantum_counter_over(int32_t counter)
{
	return counter & QUANTUM_COUNTER_ENDED ? (uint16_t)(-1 - quantum_counter_left(counter)) : 0;
}

#endif

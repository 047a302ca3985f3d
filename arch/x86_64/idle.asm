; The one place where interrupts are let in.

section .text
bits 64
global idle_halt

; void idle_halt(void). An interrupt that is waiting is taken only after the instruction that follows sti: it
; cannot slip in before the halt and leave the processor halted.
idle_halt:
	sti
	hlt
	cli
	ret

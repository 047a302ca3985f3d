; The only place where interrupts are let in.

section .text
bits 64
global idle_halt, idle_halt_about, idle_halt_over

; void idle_halt(void). A pending interrupt is taken only after the instruction that follows sti: it cannot slip in
; before the halt and leave the processor halted. But if a non-maskable one comes there, its return would let the
; pending ones in. So it returns behind the halt (interrupts.asm).
idle_halt:
	sti
idle_halt_about:
	hlt
idle_halt_over:
	cli
	ret

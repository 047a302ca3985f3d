; The one place where interrupts are let in.

section .text
bits 64
global idle_halt, idle_halt_about, idle_halt_over

; void idle_halt(void). An interrupt that is waiting is taken only after the instruction that follows sti: it
; cannot slip in before the halt and leave the processor halted. But a non-maskable one may come there, and with
; its return the others are let in: so it returns behind the halt (interrupts.asm).
idle_halt:
	sti
idle_halt_about:
	hlt
idle_halt_over:
	cli
	ret

; Waiting for a write to a word, without an interrupt.

section .text
bits 64
global idle_monitor:function (idle_monitor.end - idle_monitor)

%define INTERRUPTS_END_IT 1 ; although they are off

; void idle_monitor(word: rdi, value: esi): wait until the word has changed or an interrupt is pending; may also end
; for no reason. The second look comes after the processor has begun to watch, so no write is missed. A pending
; interrupt is taken after the instruction that follows sti.
idle_monitor:
	mov rax, rdi
	xor ecx, ecx
	xor edx, edx
	monitor
	cmp [rdi], esi
	jne .end_wait
	xor eax, eax ; the lightest kind of sleep
	mov ecx, INTERRUPTS_END_IT
	mwait
.end_wait:
	sti
	nop
	cli
	ret
.end:

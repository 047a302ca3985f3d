; The context switch, for the bare machine and the hosted build alike.
;
; A context that is not running is its stack pointer; on its stack lie, upwards from there:
;     control words (MXCSR, x87)  r15  r14  r13  r12  rbx  rbp  return address
; so that rbp and the return address form a frame for the back trace.

bits 64
default rel

extern heddle_processor_base
section .text

; void arch_context_switch(from: rdi, to: rsi, finalizer: rdx, left: rcx, argument: r8, dying: r9)
; Weak, so that a build for a sanitizer can put its notifications around context_switch.
global arch_context_switch:function weak (context_switch.end - context_switch)
global context_switch:function (context_switch.end - context_switch)
arch_context_switch:
context_switch:
	push rbp
	push rbx
	push r12
	push r13
	push r14
	push r15
	sub rsp, 8
	stmxcsr [rsp]
	fnstcw [rsp + 4]
	mov r10d, [rsp]
	movzx r11d, word [rsp + 4]
	mov [rdi], rsp
	mov rsp, [rsi]

	; Control words are rarely changed, and loading them is slow.
	cmp r10d, [rsp]
	jne .load_mxcsr
.mxcsr_done:
	cmp r11w, [rsp + 4]
	jne .load_x87
.x87_done:
	add rsp, 8
	pop r15
	pop r14
	pop r13
	pop r12
	pop rbx
	pop rbp
	; The finalizer runs on this stack and returns to where this context was left.
	mov rdi, rcx
	mov rsi, r8
	jmp rdx

.load_mxcsr:
	ldmxcsr [rsp]
	jmp .mxcsr_done
.load_x87:
	fldcw [rsp + 4]
	jmp .x87_done
.end:

; Where a new context begins, after the finalizer: its entry is in rbx, and the back trace ends here.
global context_begin:function (context_begin.end - context_begin)
context_begin:
	mov r15d, [gs:rel heddle_processor_base + 16] ; the quantum, for the checks that the compiler inserts
	xor ebp, ebp
	call rbx
	ud2
.end:

section .note.GNU-stack noalloc noexec nowrite progbits

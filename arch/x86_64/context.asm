; Where a new context begins after the finalizer (switch.h), on the bare machine and hosted alike: its entry is in
; r15, and the back trace ends here. What the context was begun with lies above the stack pointer, and stays there for
; the next context on this stack (arch_context_renew).

bits 64
default rel
%include "arch/x86_64/assembly.inc"

extern heddle_processor_base
section .text

global context_begin:function (context_begin.end - context_begin)
context_begin:
	sub rsp, CONTEXT_FIRST ; until here it lies below the stack pointer, and nothing else runs on this stack
	mov rbx, r15
	mov r15d, [PROCESSOR(QUANTUM)] ; for the checks that the compiler inserts
	xor ebp, ebp
	lea rax, [.returned]
	push rax
	jmp rbx ; not a call, which would mislead the processor's predictions of returns: the entry never returns
.returned:
	ud2
.end:

; Yield; all registers are lost, and [rsp] says where to go on. Reached by a jump, so that the processor's predictions
; of returns stay right for the next task. The layout is that of switch.h.
extern arch_yield
global heddle_yield:function (heddle_yield.end - heddle_yield)
heddle_yield:
	push rbp
	mov rbp, rsp
	push r15
	and rsp, -16
	call arch_yield
	lea rsp, [rbp - 8]
	test rax, rax
	jz .go_on
	mov [rax], rsp
	mov rsp, [rdx]
.go_on:
	pop r15
	pop rbp
	pop rax
	jmp rax
.end:

; void task_yield(void), for callers with the usual calling convention.
; Weak, so that a build for a sanitizer can have its own.
global task_yield:function weak (task_yield.end - task_yield)
task_yield:
	push rbp
	mov rbp, rsp
	push rbx
	push r12
	push r13
	push r14
	lea rax, [.gone_on]
	push rax
	jmp heddle_yield
.gone_on:
	pop r14
	pop r13
	pop r12
	pop rbx
	pop rbp
	ret
.end:

section .note.GNU-stack noalloc noexec nowrite progbits

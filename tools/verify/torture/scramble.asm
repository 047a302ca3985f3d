; The task beside a program: it repeatedly does to the registers everything that a task may do.

bits 64
default rel

%define GARBAGE 0x5a3cc3a569f00f96 ; looks like no address and no small number

extern scramble, scramble_turns, task_yield

section .text

; intptr_t scramble_for_ever(void *): destroys here what scramble() leaves, including the counter.
global scramble_for_ever:function (scramble_for_ever.end - scramble_for_ever)
scramble_for_ever:
	sub rsp, 8
.again:
	call scramble wrt ..plt
	mov rax, [rel scramble_turns wrt ..gotpc]
	inc qword [rax]
	mov rax, GARBAGE
	mov rbx, rax
	mov rbp, rax
	mov r12, rax
	mov r13, rax
	mov r14, rax
	mov r15, rax
	call task_yield wrt ..plt
	jmp .again
.end:

section .note.GNU-stack noalloc noexec nowrite progbits

; Calls a function that was compiled for growing stacks on a stack of the test's own (room.c).

bits 64
default rel

%define LIMIT fs:0x70
%define COUNT 32767 ; instructions until a check is spent: more than these functions have

section .bss
left: resq 1
global heddle_processor_base
heddle_processor_base: resb 256 ; the counter is kept there over calls of the kernel

section .text

; bool asks_for_more(top: rdi, limit: rsi, function: rdx, argument: rcx): whether function(argument) takes the stack
; for too small.
global asks_for_more:function
asks_for_more:
	push rbx
	push rbp
	push r12
	push r13
	push r14
	push r15
	mov [left], rsp
	mov rsp, rdi
	mov [LIMIT], rsi
	mov r15d, COUNT
	mov rdi, rcx
	call rdx
	xor eax, eax
	jmp leave_stack

global __morestack:function
global __morestack_allocate_stack_space:function
__morestack:
__morestack_allocate_stack_space:
	mov eax, 1
leave_stack:
	mov rsp, [left]
	pop r15
	pop r14
	pop r13
	pop r12
	pop rbp
	pop rbx
	ret

; Nothing was left.
global heddle_stack_entered:function
heddle_stack_entered:
	ret

global heddle_quantum_spent:function
heddle_quantum_spent:
	ud2

section .note.GNU-stack noalloc noexec nowrite progbits

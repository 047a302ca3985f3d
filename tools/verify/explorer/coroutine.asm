; Stack switch of the explorer: the registers that a function call preserves are on the stack, so a virtual processor
; that does not run consists of its stack pointer and the bytes above it.

bits 64
section .text

; void coroutine_switch(void **save: rdi, void *load: rsi)
global coroutine_switch:function
coroutine_switch:
	push rbp
	push rbx
	push r12
	push r13
	push r14
	push r15
	mov [rdi], rsp
	mov rsp, rsi
	pop r15
	pop r14
	pop r13
	pop r12
	pop rbx
	pop rbp
	ret

section .note.GNU-stack noalloc noexec nowrite progbits

; Calls a check's cold path with all registers as a test wants them.

bits 64
default rel

; struct registers (stub.c)
%define GENERAL   0    ; rax rcx rdx rsi rdi r8 r9 r10 r11
%define PRESERVED 72   ; rbx rbp r12 r13 r14 r15
%define MASKS     120
%define X87       184  ; as fnsave stores it
%define CONTROL   296  ; MXCSR
%define VECTORS   320

%macro each_general 1 ; mov in the direction that %1 says
	%1 GENERAL + 8,  rcx
	%1 GENERAL + 16, rdx
	%1 GENERAL + 24, rsi
	%1 GENERAL + 32, rdi
	%1 GENERAL + 40, r8
	%1 GENERAL + 48, r9
	%1 GENERAL + 56, r10
	%1 GENERAL + 64, r11
	%1 PRESERVED,      rbx
	%1 PRESERVED + 8,  rbp
	%1 PRESERVED + 16, r12
	%1 PRESERVED + 24, r13
	%1 PRESERVED + 32, r14
	%1 PRESERVED + 40, r15
%endmacro

%macro load_register 2
	mov %2, [rax + %1]
%endmacro

%macro store_register 2
	mov [rax + %1], %2
%endmacro

section .bss
target: resq 1
after:  resq 1
saved:  resq 1
level:  resq 1
value:  resq 1

section .text

; bool stub_call(code: rdi, before: rsi, after: rdx, bytes to move the stack by: rcx, level: r8)
; Level 0: vector registers of 128 bits; 1: 256; 2: 512, and masks. False: the stack pointer came back as another.
global stub_call:function
stub_call:
	push rbp
	push rbx
	push r12
	push r13
	push r14
	push r15
	mov [target], rdi
	mov [after], rdx
	mov [level], r8
	mov [saved], rsp
	sub rsp, rcx
	mov [value], rsp
	mov rax, rsi
	frstor [rax + X87]
	cmp r8d, 1
	jb .load_128
	je .load_256
%assign i 0
%rep 32
	vmovups zmm%+i, [rax + VECTORS + 64 * i]
%assign i i + 1
%endrep
%assign i 0
%rep 8
	kmovq k%+i, [rax + MASKS + 8 * i]
%assign i i + 1
%endrep
	jmp .load_general
.load_256:
%assign i 0
%rep 16
	vmovups ymm%+i, [rax + VECTORS + 64 * i]
%assign i i + 1
%endrep
	jmp .load_general
.load_128:
%assign i 0
%rep 16
	movups xmm%+i, [rax + VECTORS + 64 * i]
%assign i i + 1
%endrep
.load_general:
	each_general load_register
	mov rax, [rax + GENERAL]

	call [target]

	push rax
	mov rax, [after]
	pop qword [rax + GENERAL]
	each_general store_register
	stmxcsr [rax + CONTROL]
	fnsave [rax + X87]
	cmp dword [level], 1
	jb .store_128
	je .store_256
%assign i 0
%rep 32
	vmovups [rax + VECTORS + 64 * i], zmm%+i
%assign i i + 1
%endrep
%assign i 0
%rep 8
	kmovq [rax + MASKS + 8 * i], k%+i
%assign i i + 1
%endrep
	jmp .stored
.store_256:
%assign i 0
%rep 16
	vmovups [rax + VECTORS + 64 * i], ymm%+i
%assign i i + 1
%endrep
	jmp .stored
.store_128:
%assign i 0
%rep 16
	movups [rax + VECTORS + 64 * i], xmm%+i
%assign i i + 1
%endrep
.stored:
	xor eax, eax
	cmp rsp, [value]
	sete al
	mov rsp, [saved]
	pop r15
	pop r14
	pop r13
	pop r12
	pop rbx
	pop rbp
	ret

section .note.GNU-stack noalloc noexec nowrite progbits

; What a called function may do to its caller, done in full; and the switch of fibers.

bits 64
default rel

; Looks like no address, no small number and no mask of all or none.
%define GARBAGE 0xa5c35a3c96f0690f
%define BELOW 256 ; bytes below the stack pointer: twice a red zone

section .rodata
align 64
garbage:
	times 8 dq GARBAGE

section .data
turn:
	db 0

section .text

; void scramble(void)
; Keeps rbx, rbp, r12 to r15, the control words and the direction flag, as the calling convention demands. The x87 stack
; is filled, which overflows if something lives there, and is left empty.
extern scramble_level
global scramble:function (scramble.end - scramble)
scramble:
	%rep 8
	fldpi
	%endrep
	%rep 8
	fstp st0
	%endrep
	fnclex
	stmxcsr [rsp - 8]
	or dword [rsp - 8], 0x3f ; as if all exceptions had happened
	ldmxcsr [rsp - 8]

	cmp dword [scramble_level], 1
	jb .vector_128
	je .vector_256
%assign i 0
%rep 32
	vmovdqu64 zmm%+i, [garbage]
%assign i i+1
%endrep
%assign i 0
%rep 8
	kmovq k%+i, [garbage]
%assign i i+1
%endrep
	jmp .stack
.vector_256:
%assign i 0
%rep 16
	vmovdqu ymm%+i, [garbage]
%assign i i+1
%endrep
	jmp .stack
.vector_128:
%assign i 0
%rep 16
	movdqu xmm%+i, [garbage]
%assign i i+1
%endrep

.stack:
	mov rax, GARBAGE
%assign i 8
%rep BELOW / 8
	mov [rsp - i], rax
%assign i i+8
%endrep

	mov rcx, rax
	mov rdx, rax
	mov rsi, rax
	mov rdi, rax
	mov r8, rax
	mov r9, rax
	mov r10, rax
	mov r11, rax
	; All six arithmetic flags: once all set, once all clear.
	xor byte [turn], 1
	jz .clear
	mov ax, 0xff7f
	add al, al ; overflow, and no zero
	sahf       ; the other five
	mov rax, rcx
	ret
.clear:
	mov ax, 0
	add al, al
	sahf
	mov rax, rcx
	ret
.end:

; void fiber_switch(void **save: rdi, void *load: rsi)
global fiber_switch:function (fiber_switch.end - fiber_switch)
fiber_switch:
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
.end:

; uint64_t call_counted(function: rdi, argument: rsi): r11 is where the function is to return to (entries.h).
global call_counted:function (call_counted.end - call_counted)
call_counted:
	mov rax, rdi
	mov rdi, rsi
	mov r11, [rsp]
	jmp rax
.end:

; A back trace ends here: there is no caller.
global fiber_begin:function (fiber_begin.end - fiber_begin)
fiber_begin:
	xor ebp, ebp
	call rbx
	ud2
.end:

section .note.GNU-stack noalloc noexec nowrite progbits

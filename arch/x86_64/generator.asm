; Where generators begin, and the rare paths of their switch, which itself is inline (generator.h); for the bare
; machine and the hosted build alike.

bits 64
default rel

extern generator_main
extern generator_resumed_inside

%include "arch/x86_64/assembly.inc"

section .text

; In the middle of a resumer's switch (generator.h): record where it is, and go on to the generator.
global generator_resumed_elsewhere:function (generator_resumed_elsewhere.end - generator_resumed_elsewhere)
generator_resumed_elsewhere:
	mov [rdi + RESUMER_FRAME], rbp
	mov [rdi + RESUMER_ADDRESS], rax
	mov [rdi + RESUMER_STACK], rsp
	mov r9, [LIMIT]
	mov [rdi + RESUMER_OUTER], r9
	mov r9, [rdi + RESUMER_LOW]
	mov [LIMIT], r9
	mov rsp, rsi
	mov rbp, rcx
	jmp rdx
.end:

; When a resumer comes in, rdi is struct generator_resumer; rbp points to it, too, as to a frame.
global generator_begin:function (generator_begin.end - generator_begin)
generator_begin:
	call generator_main
	ud2
.end:

; The stack pointer is an old one. Execution on the stack that it belongs to ends here.
global generator_running:function (generator_running.end - generator_running)
generator_running:
	and rsp, -16
	call generator_resumed_inside
	ud2
.end:

section .note.GNU-stack noalloc noexec nowrite progbits

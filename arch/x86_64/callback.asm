; What a CALLBACK begins and ends with (heddle/attributes.h): code that was compiled without the plugin, a C library's,
; has a value of its own in r15, where instrumented code has the counter.

bits 64
default rel

extern uncooperative_begin
extern quantum_callback_end

section .text

; unsigned long heddle_callback_begin(void): gives back the caller's r15.
global heddle_callback_begin:function (heddle_callback_begin.end - heddle_callback_begin)
heddle_callback_begin:
	sub rsp, 8
	call uncooperative_begin
	add rsp, 8
	mov rax, r15
	mov r15d, 0x7fffffff ; nothing switches here, so nothing need be counted
	ret
.end:

; void heddle_callback_end(r15 of the caller: rdi)
global heddle_callback_end:function (heddle_callback_end.end - heddle_callback_end)
heddle_callback_end:
	mov r15, rdi
	jmp quantum_callback_end
.end:

section .note.GNU-stack noalloc noexec nowrite progbits

; Functions that the plugin compiled, called by code that it did not: by a C library that sorts, delivers a signal or
; ends a program, by a virtual function, by the kernel of Linux. Such callers have something of their own in r15, where
; instrumented code has the counter, and are not to be left in their middle. So each function that any of them may call
; begins with a look whether it is called by instrumented code, which has the address that it wants to go on at in r11
; (tools/plugin/pointers.h); calls that name the function go by this:
;
;     f:                cmp  r11, [rsp]
;                       je   f.heddle
;                       mov  r11d, BYTES     ; only if it has arguments on the stack: so many
;                       call heddle_callback
;                       ret
;     f.heddle:         the function
;
; Where they differ, mostly foreign code has called it: then the task is uncooperative until the function returns, and
; r15 is the caller's again. No limit of a stack holds meanwhile where that of the task's would not: on the processor's
; own stack, where foreign code runs, and on that of a signal. The array that CALLBACKS points to has the frame of each
; call back that has not returned, so that a jump or an exception that leaves some of them can be noticed
; (sched/callback.h): by where the jump comes to, and by heddle_callback_unwound() (callback.c) for an exception, which
; foreign code may catch.
;
; Or the caller was compiled with the plugin all the same, and r11 has changed on the way, in a trampoline for an inner
; function say; or it is Heddle itself, which leaves r15 alone; or it did not know whom it called, and had it called on
; the processor's stack (foreign.asm). Then nothing has happened.

bits 64
default rel
%include "arch/x86_64/assembly.inc"
%include "arch/x86_64/unwinding.inc"

extern heddle_processor_base
extern stack_low_in_task
extern heddle_callback_unwound
extern heddle_foreign_returned
extern __start_heddle_text
extern __stop_heddle_text

%define ALIGNMENT      64
%define PAGE           4096
%define NO_PROCESSOR   -1 ; instead of a depth
%define COUNTER_MOST   0x7fffffff ; nothing switches, so nothing need be counted

; An indirect call of instrumented code, as the bytes before the address to return to show it:
;     lea  r11, [rip + N]     where N is the size of the call behind it
%define LEA_CODE     0x001d8d4c
%define LEA_SIZE     7
%define CALL_LEAST   2
%define CALL_MOST    9
%define OFFSET_SHIFT 24

; Of the frame: rbp itself points to the caller's; above it
%define BODY      rbp + 8 ; the `ret` before it
%define CALLER    rbp + 16
%define ARGUMENTS rbp + 24
; and below
%define BYTES     rbp - 8
%define VECTORS   rbp - 16 ; their number, in a variadic call
%define CHAIN     rbp - 24
%define COUNTER   rbp - 32 ; the caller's r15
%define LIMIT_OF  rbp - 40
%define DEPTH_OF  rbp - 48

section heddle_foreign_text exec progbits alloc align=16

; Go on with the function as if it had been reached by its other entry.
go_on:
	pop r11
	inc r11
	jmp r11

global heddle_callback:function (heddle_callback.end - heddle_callback)
heddle_callback:
	mov r11, [rsp + 8]
	cmp r11, [own_text]
	jb .foreign
	cmp r11, [own_text + 8]
	jb go_on
.foreign:
	xor r11d, r11d
	jmp heddle_callback_outside
.end:

global heddle_callback_pushed:function (heddle_callback_pushed.end - heddle_callback_pushed)
heddle_callback_pushed:
	push r11
.pushed:
	mov r11, [rsp + 16]
	cmp r11, [own_text]
	jb .foreign
	cmp r11, [own_text + 8]
	pop r11
.popped:
	jb go_on
	jmp heddle_callback_outside
.foreign:
	pop r11
.end:

; By a jump: r11 bytes of arguments, and [rsp] is where a `ret` lies, with the function behind it. From __morestack(),
; too (grow.asm).
global heddle_callback_outside:function (heddle_callback_outside.end - heddle_callback_outside)
heddle_callback_outside:
	push rbp
.pushed:
	mov rbp, rsp
.framed:
	push r11
	push rax
	push r10
	mov r10, [CALLER]
	lea r11, [heddle_foreign_returned]
	cmp r10, r11
	je .arrived
	lea eax, [r10 - LEA_SIZE - CALL_MOST]
	xor eax, r10d
	test eax, -PAGE
	jnz .foreign ; whether there is memory before it is not known
%assign size CALL_LEAST
%rep CALL_MOST - CALL_LEAST + 1
	cmp dword [r10 - LEA_SIZE - size], LEA_CODE | size << OFFSET_SHIFT
	je .instrumented
%assign size size + 1
%endrep

.foreign:
	push r15
.saved:
	push qword [LIMIT]
	push NO_PROCESSOR
	mov r15, [PROCESSOR(CALLBACKS)]
	test r15, r15
	jz .written
	movzx eax, word [PROCESSOR(DEPTH)]
	mov [DEPTH_OF], rax
	cmp eax, CALLBACKS_MOST
	jae .deeper
	mov [r15 + rax * 8], rbp
.deeper:
	inc eax
	mov [PROCESSOR(DEPTH)], ax
	mov r15, [LIMIT_OF]
	test r15b, LIMIT_GROWS
	jnz .none
	cmp rsp, r15
	jae .written
.none:
	mov [PROCESSOR(LIMIT_LEFT)], r15
	mov qword [LIMIT], 0
.written:
	; The arguments, aligned as they are: vectors may be among them.
	mov r10, [BYTES]
	lea r11, [ARGUMENTS]
	and r11d, ALIGNMENT - 1
	lea rax, [rbp - 64]
	sub rax, r10
	sub rax, r11
	and rax, -ALIGNMENT
	lea rsp, [rax + r11]
	test r10, r10
	jz .copied
.copy:
	sub r10, 8
	mov r11, [ARGUMENTS + r10]
	mov [rsp + r10], r11
	jnz .copy
.copied:
	mov r10, [CHAIN]
	mov rax, [VECTORS]
	mov r11, [BODY]
	inc r11
	mov r15d, COUNTER_MOST
	call r11
.returned:
	mov r10, [LIMIT_OF]
	mov [LIMIT], r10
	mov r10, [DEPTH_OF]
	test r10, r10
	js .restored
	mov [PROCESSOR(DEPTH)], r10w
.restored:
	mov r15, [COUNTER]
	leave
.left:
	ret

; On the stack that it came from, with all that it was called with, below the frame that was made there.
.arrived:
	pop r10
	pop rax
	to_newest_piece_limit r11
	mov r11, [BODY]
	inc r11
	mov rbp, [rbp]
.abandoned:
	mov rsp, rbp
	pop rbp
.back:
	jmp r11
.instrumented:
	pop r10
	pop rax
	leave
.unframed:
	jmp go_on
.end:

; What lies in between is Heddle's own code (core.ld).
section .data.rel.ro progbits alloc noexec write align=8
global own_text:data hidden (own_text.end - own_text)
own_text:
	dq __start_heddle_text
	dq __stop_heddle_text
.end:

; heddle_callback() was called by the function itself, which is left out: the frame's address is that of its caller.
UNWINDING_COMMON
UNWINDING_OF go_on, heddle_callback.end
	db CFA_ADDRESS, 7, 16
UNWINDING_END
UNWINDING_OF heddle_callback_pushed, heddle_callback_pushed.end
	db CFA_ADDRESS, 7, 16
	UNWIND_FROM heddle_callback_pushed, heddle_callback_pushed.pushed
	db CFA_OFFSET_OF_IT, 24
	UNWIND_FROM heddle_callback_pushed.pushed, heddle_callback_pushed.popped
	db CFA_OFFSET_OF_IT, 16
	UNWIND_FROM heddle_callback_pushed.popped, heddle_callback_pushed.foreign
	db CFA_OFFSET_OF_IT, 24
UNWINDING_END
UNWINDING_COMMON heddle_callback_unwound
UNWINDING_OF heddle_callback_outside, heddle_callback_outside.end
	db CFA_ADDRESS, 7, 16
	UNWIND_FROM heddle_callback_outside, heddle_callback_outside.pushed
	db CFA_OFFSET_OF_IT, 24
	db CFA_OFFSET | 6, 3
	UNWIND_FROM heddle_callback_outside.pushed, heddle_callback_outside.framed
	db CFA_REGISTER, 6
	UNWIND_FROM heddle_callback_outside.framed, heddle_callback_outside.saved
	db CFA_OFFSET | 15, 7
	UNWIND_FROM heddle_callback_outside.saved, heddle_callback_outside.left
	db CFA_REMEMBER_STATE
	db CFA_ADDRESS, 7, 16
	db CFA_RESTORE | 6
	db CFA_RESTORE | 15
	UNWIND_FROM heddle_callback_outside.left, heddle_callback_outside.arrived
	db CFA_RESTORE_STATE
	db CFA_RESTORE | 15
	UNWIND_FROM heddle_callback_outside.arrived, heddle_callback_outside.abandoned
	db CFA_ADDRESS, 6, 16
	db CFA_OFFSET | 6, 2
	UNWIND_FROM heddle_callback_outside.abandoned, heddle_callback_outside.back
	db CFA_ADDRESS, 7, 8
	db CFA_RESTORE | 6
	UNWIND_FROM heddle_callback_outside.back, heddle_callback_outside.instrumented
	db CFA_ADDRESS, 6, 24
	db CFA_OFFSET | 6, 3
	UNWIND_FROM heddle_callback_outside.instrumented, heddle_callback_outside.unframed
	db CFA_ADDRESS, 7, 16
	db CFA_RESTORE | 6
UNWINDING_END

section .note.GNU-stack noalloc noexec nowrite progbits

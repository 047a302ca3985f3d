; Functions that the plugin compiled, when code calls them that it did not compile: a C library that sorts, delivers a
; signal or ends a program; a virtual call; Linux's kernel. Such callers use r15 for their own values, where
; instrumented code has the counter, and must not be switched away in their middle. So each function that they may
; call begins with a check whether instrumented code has called it: then r11 holds the address to return to
; (tools/plugin/pointers.h). Calls that name the function use the second entry:
;
;     f:                cmp  r11, [rsp]
;                       je   f.heddle
;                       mov  r11d, BYTES     ; only if it has arguments on the stack: their size
;                       call heddle_callback
;                       ret
;     f.heddle:         the function
;
; If they differ, foreign code has usually called it. Then the task is uncooperative until the function returns, and
; r15 becomes the caller's again. Meanwhile no stack limit applies where the task's would be wrong: on the processor's
; own stack, where foreign code runs, and on a signal's. The array at CALLBACKS leads to the frame of each call back
; that has not returned, where its index is kept, so that a jump or an exception that leaves some of them is noticed
; (sched/callback.h): a jump where it lands, an exception, which foreign code may catch, by heddle_callback_unwound()
; (callback.c).
;
; Otherwise the caller was compiled with the plugin after all, and r11 has changed on the way, in a trampoline for a
; nested function for example; or it is Heddle itself, which leaves r15 alone; or it did not know whether it calls
; foreign code, and had the call made on the processor's stack (foreign.asm). In these cases nothing is done.

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

; An indirect call of instrumented code, by the bytes before its return address:
;     lea  r11, [rip + N]     where N is the size of the call behind it
%define LEA_CODE     0x001d8d4c
%define LEA_SIZE     7
%define CALL_LEAST   2
%define CALL_MOST    9
%define OFFSET_SHIFT 24

; In the frame: rbp points to the caller's frame pointer; above it
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

; Reached by a jump: r11 bytes of arguments; [rsp] is the address of a `ret`, and the function follows that. Also
; reached from __morestack() (grow.asm).
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
	jnz .foreign ; the memory before it may not exist
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
	mov [r15 + rax * 8], rsp ; = DEPTH_OF
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
	; The arguments, with the same alignment: vectors may be among them.
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
	mov r15d, COUNTER_MOST ; nothing switches, so the count does not matter
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

; On the stack that it was called on, with all arguments, below the frame that was made there.
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

; Heddle's own code lies in between (core.ld).
section .data.rel.ro progbits alloc noexec write align=8
global own_text:data hidden (own_text.end - own_text)
own_text:
	dq __start_heddle_text
	dq __stop_heddle_text
.end:

; The function itself has called heddle_callback(), and is left out: the frame's address is its caller's.
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

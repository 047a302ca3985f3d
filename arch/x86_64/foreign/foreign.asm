; Calls of foreign functions, compiled without the plugin, from code that the plugin compiled for growing stacks. A
; growing stack has no room for foreign functions, and they cannot switch: so they run on the processor's own stack,
; below where the idle task has left it. Each is called through a few instructions (tools/plugin/calls.h):
;
;             mov  r11d, BYTES          ; only if there are arguments on the stack: their size
;             call printf.heddle.push
;             ...
;     printf.heddle.push:
;             mov  r10, printf
;             jmp  heddle_foreign_pushed
;
; Meanwhile each bit of the limit is inverted, and every stack pointer is below it: so code that is compiled for growing
; stacks, and does not know its caller, gets to __morestack (grow.asm), which finds out. On other stacks (whole ones,
; generators', those of threads that are no processors) and in functions that foreign code calls back, the function is
; simply called, with r11 as in an indirect call of instrumented code, in case it is not foreign after all
; (callback.asm).
;
; Exceptions, debuggers and longjmp() leave through the frame that is made on the task's stack.

bits 64
default rel
%include "arch/x86_64/assembly.inc"
%include "arch/x86_64/arguments.inc"
%include "arch/x86_64/unwinding.inc"

extern heddle_processor_base
extern stack_low_in_task
extern own_text
extern owed_settle
extern heddle_vector_width

%define ALIGNMENT     64 ; of arguments, at most

; A task that is owed (sched/owed.h) must not wait for foreign code. rbp is on the stack.
%macro IF_OWED 1
	mov rbp, [PROCESSOR(SCHEDULER)]
	cmp qword [rbp + OWED], 0
	jne %1
%endmacro

section heddle_foreign_text exec progbits alloc align=16

here:
	mov r11, [rsp]
	jmp r10

; The address called may be that of one of Heddle's own functions: they have room on any stack, and may switch.
%macro OWN_IS_CALLED_HERE 1
	cmp r10, [own_text]
	jb %1
	cmp r10, [own_text + 8]
	jb here
	jmp %1
%endmacro

global heddle_foreign_at:function (heddle_foreign_at.end - heddle_foreign_at)
heddle_foreign_at:
	OWN_IS_CALLED_HERE heddle_foreign
.end:
global heddle_foreign_at_pushed:function (heddle_foreign_at_pushed.end - heddle_foreign_at_pushed)
heddle_foreign_at_pushed:
	OWN_IS_CALLED_HERE heddle_foreign_pushed
.end:

; Settle what is owed, and start again.
%macro SETTLE_THEN 2
static %1:function (%1.end - %1)
%1:
	mov rbp, rsp
.framed:
	push rax
	push r10
	push r11
	push_each ARGUMENTS
	mov rdi, [PROCESSOR(SCHEDULER)]
	add r15d, [rdi + OWED_REST]
	to_processor_stack rcx
	find_vector_width
	move_vectors save, 8
	mov rdi, [PROCESSOR(SCHEDULER)]
	call owed_settle
	move_vectors restore, 8
	mov rcx, [PROCESSOR(LIMIT_LEFT)]
	mov [LIMIT], rcx
	lea rsp, [rbp - 9 * 8]
	pop_each ARGUMENTS
	pop r11
	pop r10
	pop rax
	pop rbp
.left:
	jmp %2
.end:
%endmacro
SETTLE_THEN settle, heddle_foreign
SETTLE_THEN settle_pushed, heddle_foreign_pushed

; The same, with r11 bytes of arguments on the stack.
global heddle_foreign_pushed:function (heddle_foreign_pushed.end - heddle_foreign_pushed)
heddle_foreign_pushed:
	test byte [LIMIT], LIMIT_GROWS
	jz here
	push rbp
.pushed:
	IF_OWED settle_pushed
	mov rbp, rsp
.framed:
	push rax ; the number of vector registers of a variadic call
	push r10
	; With the same alignment: vectors may be among them.
	lea rax, [rbp + 16]
	and eax, ALIGNMENT - 1
	mov r10, [PROCESSOR(STACK_FREE)]
	sub r10, r11
	sub r10, rax
	and r10, -ALIGNMENT
	add r10, rax
.copy:
	sub r11, 8
	mov rax, [rbp + 16 + r11]
	mov [r10 + r11], rax
	jnz .copy
	mov r11, r10
	pop r10
	pop rax
	mov rsp, r11
	jmp __morestack
.end:

; The function is r10.
	align 16
global heddle_foreign:function (heddle_foreign.end - heddle_foreign)
heddle_foreign:
	test byte [LIMIT], LIMIT_GROWS
	jz here
	push rbp
.pushed:
	IF_OWED settle
	mov rbp, rsp
.framed:
	mov rsp, [PROCESSOR(STACK_FREE)]
.end:

; If a frame continues on another stack, GDB accepts that only from functions with this name. A call back that a jump
; of the foreign code's own has left leaves the limit as it was there: then it is set from the task's newest piece.
static __morestack:function (heddle_foreign_end - __morestack)
__morestack:
	not qword [LIMIT]
	call r10
global heddle_foreign_returned
heddle_foreign_returned:
	not qword [LIMIT]
	cmp word [PROCESSOR(DEPTH)], 0
	jne .forget
.leave:
	leave
.left:
	ret
.forget: ; forget calls back that jumps have left
	to_newest_piece_limit r10
	mov word [PROCESSOR(DEPTH)], 0
	jmp .leave
heddle_foreign_end:

UNWINDING_COMMON
%macro UNWINDING_OF_SETTLE 1
UNWINDING_OF %1, %1.end
	db CFA_OFFSET_OF_IT, 16
	db CFA_OFFSET | 6, 2
	UNWIND_FROM %1, %1.framed
	db CFA_REGISTER, 6
	UNWIND_FROM %1.framed, %1.left
	db CFA_ADDRESS, 7, 8
	db CFA_RESTORE | 6
UNWINDING_END
%endmacro
UNWINDING_OF_SETTLE settle
UNWINDING_OF_SETTLE settle_pushed
UNWINDING_OF heddle_foreign, heddle_foreign.end
	UNWIND_FROM heddle_foreign, heddle_foreign.pushed
	db CFA_OFFSET_OF_IT, 16
	db CFA_OFFSET | 6, 2
	UNWIND_FROM heddle_foreign.pushed, heddle_foreign.framed
	db CFA_REGISTER, 6
UNWINDING_END
UNWINDING_OF heddle_foreign_pushed, heddle_foreign_pushed.end
	UNWIND_FROM heddle_foreign_pushed, heddle_foreign_pushed.pushed
	db CFA_OFFSET_OF_IT, 16
	db CFA_OFFSET | 6, 2
	UNWIND_FROM heddle_foreign_pushed.pushed, heddle_foreign_pushed.framed
	db CFA_REGISTER, 6
UNWINDING_END
UNWINDING_OF __morestack, heddle_foreign_end
	db CFA_ADDRESS, 6, 16
	db CFA_OFFSET | 6, 2
	UNWIND_FROM __morestack, heddle_foreign_returned.left
	db CFA_REMEMBER_STATE
	db CFA_ADDRESS, 7, 8
	db CFA_RESTORE | 6
	UNWIND_FROM heddle_foreign_returned.left, heddle_foreign_returned.forget
	db CFA_RESTORE_STATE
UNWINDING_END

section .note.GNU-stack noalloc noexec nowrite progbits

; Growing stacks, for the bare machine and the hosted build alike. Code that is compiled with -fsplit-stack begins
; each function with
;
;             cmp  rsp, [fs:0x70]       ; or rsp less the frame; the limit of the current task's stack (sched/growth.h)
;             jb   more
;     body:   ...
;     more:   mov  r10d, FRAME          ; bytes that the function needs
;             mov  r11d, ARGUMENTS      ; bytes of arguments on the stack
;             call __morestack
;             ret
;             jmp  body
;
; and __morestack runs the function on a further piece of stack: it goes on after that `ret`, and returns to the `ret`
; when the function has returned. All registers that may hold an argument are as the caller left them, and those of
; the result as the function left them. The frame that keeps rbp links the pieces for back traces.
;
; STACK_ENTRY() does the same without arguments on the stack; then ARGUMENTS is -1.
;
; Mostly no argument is on the stack, and this processor has a piece at hand, or room for one: then the rest of the
; stack suffices, and the C code for it is compiled without vector registers, which need not be kept (build.mk).
; Everything else is done on the processor's own stack, below where its idle task has left it.
;
; While foreign code runs (arch/x86_64/foreign/foreign.asm), a function that gets here was called by foreign code.

bits 64
default rel
%include "arch/x86_64/assembly.inc"
%include "arch/x86_64/arguments.inc"
%include "arch/x86_64/unwinding.inc"

extern heddle_processor_base
extern stack_grow
extern stack_grow_small
extern stack_shrink
extern stack_shrink_small
extern stack_allocate
extern stack_overflowed
extern heddle_vector_width
extern heddle_callback_outside:weak ; the bare machine has no foreign code (arch/x86_64/foreign/callback.asm)

section .text

global __morestack:function hidden (__morestack.end - __morestack)
__morestack:
	test byte [LIMIT], LIMIT_FOREIGN
	jnz .foreign
	push rbp
.pushed:
	mov rbp, rsp
.framed:
	push rax ; the number of vector registers of a variadic call, or the static chain
	push_each ARGUMENTS
	lea eax, [r11 + 1]
	cmp eax, 1
	ja .grow
	push r10
	mov edi, r10d
	call stack_grow_small
	pop r10
	xor r11d, r11d
	test rax, rax
	jz .grow
.grown:
	mov r11, rax
	lea rsp, [rbp - 56]
	pop_each ARGUMENTS
	pop rax
	mov rsp, r11
	mov r11, [rbp + 8]
	inc r11 ; after the `ret`
	call r11
	mov rsp, rbp
	push rax
	push rdx
	call stack_shrink_small
	test al, al
	jz .shrink
.back:
	lea rsp, [rbp - 16]
	pop rdx
	pop rax
	pop rbp
.left:
	ret
.grow:
	to_processor_stack rcx
	find_vector_width
	move_vectors save, 8
	mov rdi, r10
	lea rsi, [rbp + 24] ; above rbp, our return address and the function's
	mov rdx, r11
	call stack_grow
	move_vectors restore, 8
	jmp .grown
.shrink:
	to_processor_stack rcx
	find_vector_width
	move_vectors save, 2
	call stack_shrink
	move_vectors restore, 2
	jmp .back
.foreign:
	xor r10d, r10d
	cmp r11d, -1
	cmove r11d, r10d
	jmp heddle_callback_outside
.end:

; void *__morestack_allocate_stack_space(size: rdi, room: r11d): memory for alloca() and for arrays of variable
; length, if the rest of the stack does not suffice. The caller keeps it until it returns, or its stack pointer goes
; back to where it was. So this returns with the stack pointer moved down a little, as if the memory had come from the
; stack, if that leaves the room that the caller needs below (tools/plugin/growth.cc).
global __morestack_allocate_stack_space:function hidden (allocate.end - allocate)
__morestack_allocate_stack_space:
allocate:
	push rbp
	mov rbp, rsp
	lea rsi, [rbp + 16]
	mov rdx, rsi
	mov rax, rbp
	sub rax, r11
	cmp rax, [LIMIT]
	cmovae rdx, rbp
	push rdx
	to_processor_stack rcx
	call stack_allocate
	mov rdx, [rbp - 8]
	mov rcx, [rbp + 8]
	mov rbp, [rbp]
	lea rsp, [rdx - 8]
	mov [rsp], rcx
	ret
.end:

; void arch_call_on_processor_stack(function: rdi, argument: rsi): call function(argument), which must not switch. If
; that stack is already running or does not exist yet, it is simply called. No limit applies there, in code that
; interrupts a task, or in foreign code. A limit does apply in a generator that is resumed there, by a delegated
; section.
global arch_call_on_processor_stack:function (arch_call_on_processor_stack.end - arch_call_on_processor_stack)
arch_call_on_processor_stack:
	mov rdx, rdi
	mov rdi, rsi
	cmp qword [LIMIT], 0
	je .here
	test byte [LIMIT], LIMIT_FOREIGN
	jnz .here
	cmp dword [PROCESSOR(STACK_TAKEN)], 0
	jne .here
	push rbp
	mov rbp, rsp
	push qword [LIMIT]
	mov rsp, [PROCESSOR(STACK_FREE)]
	mov rax, [rbp - 8]
	mov [PROCESSOR(LIMIT_LEFT)], rax
	mov dword [PROCESSOR(STACK_TAKEN)], 1
	mov qword [LIMIT], 0
	call rdx
	mov dword [PROCESSOR(STACK_TAKEN)], 0
	lea rsp, [rbp - 8]
	pop qword [LIMIT]
	pop rbp
	ret
.here:
	jmp rdx
.end:

; void arch_stack_abandon(stack pointer: rdi, entry: rsi): run entry(), which must not return, on that stack.
global arch_stack_abandon:function (arch_stack_abandon.end - arch_stack_abandon)
arch_stack_abandon:
	mov rsp, rdi
	xor ebp, ebp
	call rsi
	ud2
.end:

; Where a function of the kernel's returns to, instead of its caller, which has left it too little stack.
global arch_return_overflowed:function (arch_return_overflowed.end - arch_return_overflowed)
arch_return_overflowed:
	and rsp, -16
	xor ebp, ebp
	call stack_overflowed
	ud2
.end:

; The function itself has called __morestack(), and is left out: the frame's address is its caller's.
UNWINDING_COMMON
UNWINDING_OF __morestack, __morestack.end
	db CFA_ADDRESS, 7, 16
	UNWIND_FROM __morestack, __morestack.pushed
	db CFA_OFFSET_OF_IT, 24
	db CFA_OFFSET | 6, 3
	UNWIND_FROM __morestack.pushed, __morestack.framed
	db CFA_REGISTER, 6
	UNWIND_FROM __morestack.framed, __morestack.left
	db CFA_REMEMBER_STATE
	db CFA_ADDRESS, 7, 16
	db CFA_RESTORE | 6
	UNWIND_FROM __morestack.left, __morestack.grow
	db CFA_RESTORE_STATE
	UNWIND_FROM __morestack.grow, __morestack.foreign
	db CFA_ADDRESS, 7, 16
	db CFA_RESTORE | 6
UNWINDING_END

section .note.GNU-stack noalloc noexec nowrite progbits

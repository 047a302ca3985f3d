; Where the compiler's checks jump to when a quantum is spent; for the bare machine and the hosted build alike. A
; check (tools/plugin/) is
;
;             sub  r15w, N
;             jl   cold                  ; at the entry of a function; `jo` elsewhere
;     back:   ...
;     cold:   call heddle_quantum_spent.heddle.WORD
;             jmp  back
;
; arch/x86_64/quantum_counter.h says when an entry that finds the sign set goes on. The call leads, once for each WORD
; (tools/plugin/calls.h), to
;
;             push rbp
;             mov  rbp, rsp
;             call heddle_quantum_spent
;             nop  dword [rax + WORD]    ; 7 bytes, WORD in the last 4
;             nop  dword [rax + WORD2]   ; the same; only if bit 31 of WORD is set
;             pop  rbp
;             ret
;
; A check may be anywhere in a function, so any register may be live there, and the stack may have any alignment. r15
; is the counter in all code that the plugin compiles; quantum_spent() leaves its next value in the processor's block.
; The two words say what is live:
;
;     WORD    0-8    rax rcx rdx rsi rdi r8 r9 r10 r11         WORD2   0-15   vector registers 16-31
;             9      x87 or MMX registers                              16-23  mask registers 0-7
;             10-25  vector registers 0-15
;             26-27  their width: 0 128 bits, 1 256, 2 512
;             31     WORD2 follows
;
; The flags are never live there. C functions preserve the other general registers.
;
; All of this counts as the task's own code (arch_is_user_code): if the stack ends here, the task has overflowed it.

bits 64
default rel
%include "arch/x86_64/assembly.inc"
%include "arch/x86_64/unwinding.inc"

extern quantum_spent
extern stack_grow
extern stack_shrink

%define WORD_AT         3  ; from the return address
%define WORD2_AT        10
%define WORD_GENERAL    0x1ff
%define WORD_X87        9
%define WORD_VECTORS    10
%define WORD_WIDTH      26
%define WORD_WORD2      31
%define WORD2_MASKS     16

%define X87_STATE_SIZE  112 ; 108, rounded up
%define STACK_POINTER   rbp - 80 ; used while more than the general registers is saved
%define ELSEWHERE       rbp - 88 ; 0; or the top of the save area, if not on the task's stack
%define SAVED_BYTES     rbp - 96 ; its size, in that case
%define STATE_MOST      2304     ; the largest save area; the reserve below the limit is for the switch
%define SWITCH_ROOM     1024

; What quantum_spent() needs until it has checked how much is left of the stack. If not even that is left, the fault
; is here.
%define ROOM            256

; Save or restore one register, if its bit says that it is live.
%macro save_live 5 ; bits, number of the bit, instruction, register, its bytes
	bt %1, %2
	jnc %%dead
	sub rsp, %5
	%3 [rsp], %4
%%dead:
%endmacro

%macro restore_live 5
	bt %1, %2
	jnc %%dead
	%3 %4, [rsp]
	add rsp, %5
%%dead:
%endmacro

; `count` registers: their bits begin at `bit`, their numbers at `first`. Restored in the opposite order.
%macro save_all_live 7 ; bits, bit, instruction, kind of register, its bytes, first, count
%assign turn 0
%rep %7
%assign number %6 + turn
	save_live %1, %2 + turn, %3, %4%+number, %5
%assign turn turn + 1
%endrep
%endmacro

%macro restore_all_live 7
%assign turn %7 - 1
%rep %7
%assign number %6 + turn
	restore_live %1, %2 + turn, %3, %4%+number, %5
%assign turn turn - 1
%endrep
%endmacro

section .text

global heddle_quantum_spent:function hidden (heddle_quantum_spent.end - heddle_quantum_spent)
heddle_quantum_spent:
	cmp dword [PROCESSOR(QUANTUM)], 0
	jle .spent ; another processor, or a clock tick, has ended it: r15 may not be the counter
	test r15w, r15w
	jns .ended ; it has overflowed
	test r15d, COUNTER_EXACT
	jz .ended
	ret
.ended:
	or r15d, COUNTER_ENDED
	mov [PROCESSOR(QUANTUM)], r15d
.spent:
	push rbp
.pushed:
	mov rbp, rsp
.framed:
	; All nine in a row: that costs less than nine tests. Only what is live is restored.
	push rax
	push rcx
	push rdx
	push rsi
	push rdi
	push r8
	push r9
	push r10
	push r11
	mov rcx, [rbp + 8]
	mov eax, [rcx + WORD_AT]
	test eax, ~WORD_GENERAL
	jnz .save_others
	and rsp, -16
	test al, [rsp - ROOM]
	call quantum_spent
.restore:
	mov rax, [rbp + 8]
	mov eax, [rax + WORD_AT]
	bt eax, 8
	cmovc r11, [rbp - 72]
	bt eax, 7
	cmovc r10, [rbp - 64]
	bt eax, 6
	cmovc r9, [rbp - 56]
	bt eax, 5
	cmovc r8, [rbp - 48]
	bt eax, 4
	cmovc rdi, [rbp - 40]
	bt eax, 3
	cmovc rsi, [rbp - 32]
	bt eax, 2
	cmovc rdx, [rbp - 24]
	bt eax, 1
	cmovc rcx, [rbp - 16]
	bt eax, 0
	cmovc rax, [rbp - 8]
	mov r15d, [PROCESSOR(QUANTUM)]
	leave
.left:
	ret
.returned:

; Below the general registers, one below the other, the rest of what is live. eax is WORD, rcx the return address, edx
; becomes WORD2.
.save_others:
	sub rsp, 24 ; for [STACK_POINTER], [ELSEWHERE], [SAVED_BYTES]
	mov qword [ELSEWHERE], 0
	mov rsi, [LIMIT]
	test sil, LIMIT_GROWS
	jz .save_here
	add rsi, STATE_MOST
	cmp rsp, rsi
	jb .save_elsewhere
.save_here:
	mov edx, 0
	bt eax, WORD_WORD2
	jnc .save_x87
	mov edx, [rcx + WORD2_AT]
.save_x87:
	bt eax, WORD_X87
	jnc .save_vectors
	sub rsp, X87_STATE_SIZE
	fnsave [rsp] ; also leaves the registers empty for the next task
	fldcw [rsp]  ; the control word stays: it is switched with the task (context.asm)
.save_vectors:
	bt eax, WORD_WIDTH
	jc .save_256
	bt eax, WORD_WIDTH + 1
	jc .save_512
	save_all_live eax, WORD_VECTORS, movups, xmm, 16, 0, 16
	jmp .save_word2
.save_256:
	save_all_live eax, WORD_VECTORS, vmovups, ymm, 32, 0, 16
	vzeroupper ; upper halves in use slow down code that is compiled for plain x86-64
	jmp .save_word2
.save_512:
	save_all_live eax, WORD_VECTORS, vmovups, zmm, 64, 0, 16
	vzeroupper
.save_word2:
	test edx, edx
	jz .switch
	save_all_live edx, 0, vmovups, zmm, 64, 16, 16
	save_all_live edx, WORD2_MASKS, kmovq, k, 8, 0, 8

.switch:
	mov [STACK_POINTER], rsp
	cmp qword [ELSEWHERE], 0
	jne .move_to_piece
.moved:
	and rsp, -16
	test al, [rsp - ROOM]
	call quantum_spent
	mov rsp, [STACK_POINTER]
	cmp qword [ELSEWHERE], 0
	jne .move_from_piece
.moved_back:
	mov rcx, [rbp + 8]
	mov eax, [rcx + WORD_AT]
	bt eax, WORD_WORD2
	jnc .restore_vectors
	mov edx, [rcx + WORD2_AT]
	restore_all_live edx, WORD2_MASKS, kmovq, k, 8, 0, 8
	restore_all_live edx, 0, vmovups, zmm, 64, 16, 16
.restore_vectors:
	bt eax, WORD_WIDTH
	jc .restore_256
	bt eax, WORD_WIDTH + 1
	jc .restore_512
	restore_all_live eax, WORD_VECTORS, movups, xmm, 16, 0, 16
	jmp .restore_x87
.restore_256:
	restore_all_live eax, WORD_VECTORS, vmovups, ymm, 32, 0, 16
	jmp .restore_x87
.restore_512:
	restore_all_live eax, WORD_VECTORS, vmovups, zmm, 64, 0, 16
.restore_x87:
	bt eax, WORD_X87
	jnc .restore
	frstor [rsp]
	jmp .restore

; A growing stack that has not enough room: the registers are first saved on the processor's stack, where functions
; can be called without losing them, and from there moved to a further piece of the task's stack.
.save_elsewhere:
	mov rsp, [PROCESSOR(STACK_FREE)]
	mov [ELSEWHERE], rsp
	jmp .save_here
.move_to_piece:
	mov edi, SWITCH_ROOM
	mov rsi, rsp
	mov rdx, [ELSEWHERE]
	sub rdx, rsp
	mov [SAVED_BYTES], rdx
	and rsp, -16
	mov rax, [LIMIT]
	mov [PROCESSOR(LIMIT_LEFT)], rax
	mov qword [LIMIT], 0
	call stack_grow
	mov rsp, rax
	mov [STACK_POINTER], rsp
	jmp .moved
.move_from_piece: ; it may be another processor by now
	mov rsi, rsp
	mov rdi, [PROCESSOR(STACK_FREE)]
	mov rcx, [SAVED_BYTES]
	sub rdi, rcx
	mov rsp, rdi
	mov [STACK_POINTER], rsp
	cld
	rep movsb
	and rsp, -16
	mov qword [LIMIT], 0
	call stack_shrink
	mov rsp, [STACK_POINTER]
	jmp .moved_back
.end:
global heddle_quantum_spent_end:function hidden
heddle_quantum_spent_end:

; The address from which processors' GS bases are counted (inline.h). Checks in a thread that is no processor, whose
; GS base is 0, find here a block like a processor's, without a scheduler. It lies in .data, and the processors'
; blocks above it in .bss: Linux takes no negative GS base.
section .data align=64
global heddle_processor_base:data hidden (heddle_processor_base.end - heddle_processor_base)
heddle_processor_base:
	dq heddle_processor_base
	times PROCESSOR_SIZE - 8 db 0
.end:

UNWINDING_COMMON
UNWINDING_OF heddle_quantum_spent, heddle_quantum_spent.end
	UNWIND_FROM heddle_quantum_spent, heddle_quantum_spent.pushed
	db CFA_OFFSET_OF_IT, 16
	db CFA_OFFSET | 6, 2
	UNWIND_FROM heddle_quantum_spent.pushed, heddle_quantum_spent.framed
	db CFA_REGISTER, 6
	UNWIND_FROM heddle_quantum_spent.framed, heddle_quantum_spent.left
	db CFA_REMEMBER_STATE, CFA_ADDRESS, 7, 8
	db CFA_RESTORE | 6
	UNWIND_FROM heddle_quantum_spent.left, heddle_quantum_spent.returned
	db CFA_RESTORE_STATE
UNWINDING_END

section .note.GNU-stack noalloc noexec nowrite progbits

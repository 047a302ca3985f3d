; The stubs that accounted code calls (tools/plugin/account.h), and how a virtual processor is left and resumed. All
; virtual processors and the simulator run in one thread of the host, so temporary values lie in variables.
;
; A stub for an access gets the address in rax, and the old rax in heddle_account_rax. It returns at once if the line
; is at hand: `readable` and `writable` hold lines that the processors' own caches have, each in a slot that depends
; on line and processor. Otherwise the stub leaves the processor: its registers go to its struct, and machine_left()
; runs on the simulator's stack and chooses the next processor. So an access takes eight bytes of a task's stack.

bits 64
default rel

%macro REGISTER_IS 2
%define %1 %2
%endmacro
%define REGISTER(name, number) REGISTER_IS name, number
%include "arch/simulated/machine/registers.inc"

%define LIMIT_OF_STACK fs:0x70 ; arch/x86_64/inline.h
%define WRITES_BASE    2       ; HWCAP2: user code may write the GS base

extern machine_left
extern machine_base_set

section .bss align=64

; What compiled code and these stubs touch each time lies together.
global heddle_account_left, heddle_account_rax
global machine_current, machine_key, machine_drains, machine_locked, machine_writes_base
global machine_pause, machine_divide4, machine_divide8
heddle_account_left: resd 1 ; instructions until the processor has to let others go first
machine_locked:      resd 1 ; the cost of an atomic operation, in instructions
machine_pause:       resd 1 ; the same for other effects
machine_divide4:     resd 1
machine_divide8:     resd 1
machine_drains:      resd 1 ; the processor has stores under way
heddle_account_rax:  resq 1
kept_rcx:            resq 1
kept_rdx:            resq 1
machine_key:         resq 1 ; added to a line for this processor's slot
machine_current:     resq 1
simulator_stack:     resq 1
kept_flags:          resw 1
machine_writes_base: resb 1

alignb 64
global machine_readable, machine_writable
machine_readable: resq HAND_LENGTH
machine_writable: resq HAND_LENGTH

section .text

%macro flags_keep 0
	lahf
	seto al
	mov [kept_flags], ax
%endmacro

%macro flags_return 0
	mov ax, [kept_flags]
	add al, 127
	sahf
%endmacro

; Stubs whose names end in _flags keep the flags.
; %1: the kind of access; %2: the table; %3: the cause to leave for; %4: whether the flags are kept
%macro access 4
global heddle_account_%1:function
heddle_account_%1:
	mov [kept_rcx], rcx
	mov rcx, rax
%if %4
	flags_keep
%endif
	shr rcx, LINE_SHIFT
	add rcx, [machine_key]
	movzx eax, cx
	cmp rcx, [%2 + rax * 8]
	jne %%away
%if %3 == CAUSE_ATOMIC
	cmp dword [machine_drains], 0
	jne %%away
	mov eax, [machine_locked]
	sub [heddle_account_left], eax
%endif
%if %4
	flags_return
%endif
	mov rcx, [kept_rcx]
	mov rax, [heddle_account_rax]
	ret
%%away:
	sub rcx, [machine_key]
	mov eax, %3
	jmp leave_kept
%endmacro

access read, machine_readable, CAUSE_READ, 0
access read_flags, machine_readable, CAUSE_READ, 1
access read_early, machine_readable, CAUSE_READ_EARLY, 0
access read_early_flags, machine_readable, CAUSE_READ_EARLY, 1
access prefetch, machine_readable, CAUSE_PREFETCH, 0
access prefetch_flags, machine_readable, CAUSE_PREFETCH, 1
access prefetch_write, machine_writable, CAUSE_PREFETCH_WRITE, 0
access prefetch_write_flags, machine_writable, CAUSE_PREFETCH_WRITE, 1
access write, machine_writable, CAUSE_WRITE, 0
access write_flags, machine_writable, CAUSE_WRITE, 1
access atomic, machine_writable, CAUSE_ATOMIC, 0
access atomic_flags, machine_writable, CAUSE_ATOMIC, 1

; %1: name; %2: the cause to leave for
%macro effect 2
global heddle_account_%1:function, heddle_account_%1_flags:function
heddle_account_%1:
heddle_account_%1_flags:
	mov [heddle_account_rax], rax
	mov [kept_rcx], rcx
	flags_keep
	mov eax, %2
	jmp leave_kept
%endmacro

effect fence, CAUSE_FENCE
effect spent, CAUSE_SPENT
effect copy1, CAUSE_COPY
effect copy4, CAUSE_COPY + 2
effect copy8, CAUSE_COPY + 3
effect fill1, CAUSE_FILL
effect fill4, CAUSE_FILL + 2
effect fill8, CAUSE_FILL + 3

; An effect that only takes time. The flags stay.
%macro takes_time 1
global heddle_account_%1:function, heddle_account_%1_flags:function
heddle_account_%1:
heddle_account_%1_flags:
	mov [heddle_account_rax], rax
	mov [kept_rcx], rcx
	mov eax, [heddle_account_left]
	mov ecx, [machine_%1]
	not ecx
	lea eax, [rax + rcx + 1]
	mov [heddle_account_left], eax
	mov rcx, [kept_rcx]
	mov rax, [heddle_account_rax]
	ret
%endmacro

takes_time pause   ; of a loop that waits
takes_time divide4 ; a division of numbers of four bytes, or of fewer
takes_time divide8

; uint64_t machine_call(enum machine_request: edi, uint64_t argument: rsi): a request of the port (machine.h); it may
; leave the processor for a while.
global machine_call:function
machine_call:
	mov [heddle_account_rax], rax
	mov [kept_rcx], rcx
	flags_keep
	lea eax, [rdi + CAUSE_CALL]
	mov rcx, rsi
	jmp leave_kept

; Save the registers in the processor's struct. eax is the cause, rcx the line or argument.
leave_kept:
	mov [kept_rdx], rdx
	mov rdx, [machine_current]
	mov [rdx + RBX], rbx
	mov [rdx + RSP], rsp
	mov [rdx + RBP], rbp
	mov [rdx + RSI], rsi
	mov [rdx + RDI], rdi
	mov [rdx + R8], r8
	mov [rdx + R9], r9
	mov [rdx + R10], r10
	mov [rdx + R11], r11
	mov [rdx + R12], r12
	mov [rdx + R13], r13
	mov [rdx + R14], r14
	mov [rdx + R15], r15
	mov rbx, [heddle_account_rax]
	mov [rdx + RAX], rbx
	mov rbx, [kept_rcx]
	mov [rdx + RCX], rbx
	mov rbx, [kept_rdx]
	mov [rdx + RDX], rbx
	movzx ebx, word [kept_flags]
	mov [rdx + FLAGS], rbx
	mov rbx, [LIMIT_OF_STACK]
	mov [rdx + LIMIT], rbx
	stmxcsr [rdx + VECTOR_CONTROL]
	fnstcw [rdx + X87_CONTROL]
%assign number 0
%rep 16
	movaps [rdx + VECTORS + number * 16], xmm%+number
%assign number number + 1
%endrep
	mov rsp, [simulator_stack]
	mov rdi, rdx
	mov rsi, rcx
	mov edx, eax
	call machine_left
	jmp resume

; _Noreturn void machine_run(struct virtual_processor *first: rdi): begin with that processor. machine_left() runs on
; the rest of this stack.
global machine_run:function
machine_run:
	and rsp, -16
	mov [simulator_stack], rsp
	mov rax, rdi

; Resume the processor at rax.
resume:
	cmp rax, [machine_current]
	je .same
	mov [machine_current], rax
	mov rbx, rax
	mov rdi, [rbx + BASE]
	cmp byte [machine_writes_base], 0
	je .ask
	wrgsbase rdi
.based:
	mov rax, rbx
.same:
	mov rbx, [rax + LIMIT]
	mov [LIMIT_OF_STACK], rbx
	stmxcsr [kept_rdx]
	mov ebx, [rax + VECTOR_CONTROL]
	cmp ebx, [kept_rdx]
	je .computes
	ldmxcsr [rax + VECTOR_CONTROL]
.computes:
	fnstcw [kept_rdx]
	mov bx, [rax + X87_CONTROL]
	cmp bx, [kept_rdx]
	je .computes_x87
	fldcw [rax + X87_CONTROL]
.computes_x87:
%assign number 0
%rep 16
	movaps xmm%+number, [rax + VECTORS + number * 16]
%assign number number + 1
%endrep
	mov rbx, [rax + RBX]
	mov rcx, [rax + RCX]
	mov rsp, [rax + RSP]
	mov rbp, [rax + RBP]
	mov rsi, [rax + RSI]
	mov rdi, [rax + RDI]
	mov r8, [rax + R8]
	mov r9, [rax + R9]
	mov r10, [rax + R10]
	mov r11, [rax + R11]
	mov r12, [rax + R12]
	mov r13, [rax + R13]
	mov r14, [rax + R14]
	mov r15, [rax + R15]
	mov rdx, rax
	mov rax, [rdx + FLAGS]
	add al, 127
	sahf
	mov rax, [rdx + RAX]
	mov rdx, [rdx + RDX]
	ret
.ask:
	call machine_base_set ; by a system call
	jmp .based

; An interrupted processor goes on here, on its stack for interrupts.
extern machine_serve
global machine_interrupt_entry:function
machine_interrupt_entry:
	xor ebp, ebp
	call machine_serve
	ud2

; A new processor begins here: call rbx(r12).
global machine_begin:function
machine_begin:
	xor ebp, ebp
	mov rdi, r12
	call rbx
	ud2

section .note.GNU-stack noalloc noexec nowrite progbits

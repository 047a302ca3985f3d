; Entry points for faults, non-maskable interrupts and interrupts. Each of these kinds has a stack of its own
; (machine.h), so nothing here touches the interrupted stack.

bits 64
default rel

extern fault_enter, nmi_handle, apic_end_of_interrupt, idle_halt_about, idle_halt_over
global fault_entries, interrupt_nmi_entry, interrupt_acknowledge_entry, interrupt_ignore_entry

%define VECTORS 32
; Vectors for which the processor pushes an error code: 8, 10 to 14, 17, 21, 29, 30.
%define ERROR_CODES 0x60227d00

section .text

; One entry for each fault vector: completes the error code and the vector of struct fault_frame (faults.c).
%assign vector 0
%rep VECTORS
fault_entry_%+vector:
%if ((ERROR_CODES >> vector) & 1) == 0
	push 0
%endif
	push vector
	jmp fault_common
%assign vector vector + 1
%endrep

; fault_enter() panics, or returns in rax where the processor goes on and in rdx with which stack. If rax is 0, it
; goes on where the frame says, with all registers as they were.
fault_common:
	push rax
	push rbx
	push rcx
	push rdx
	push rsi
	push rdi
	push rbp
	push r8
	push r9
	push r10
	push r11
	push r12
	push r13
	push r14
	push r15
	cld
	mov rdi, rsp
	call fault_enter
	test rax, rax
	jz .resume
	mov rsp, rdx
	xor ebp, ebp ; the end of every back trace
	push 0       ; as if called from nowhere
	jmp rax
.resume:
	pop r15
	pop r14
	pop r13
	pop r12
	pop r11
	pop r10
	pop r9
	pop r8
	pop rbp
	pop rdi
	pop rsi
	pop rdx
	pop rcx
	pop rbx
	pop rax
	add rsp, 16 ; vector and error code
	iretq

; Keep what a C function may change: caller-saved registers, and the vector and x87 registers as far as code that is
; compiled for plain x86-64 reaches them. Afterwards the stack is aligned to 16.
%macro registers_save 0
	push rbp
	mov rbp, rsp ; [rbp + 8] is what the processor pushed: instruction, code, flags, stack, data
	push rax
	push rcx
	push rdx
	push rsi
	push rdi
	push r8
	push r9
	push r10
	push r11
	sub rsp, 512 + 8 ; fxsave64 wants its place aligned to 16
	fxsave64 [rsp]
	cld
%endmacro

%macro registers_restore_and_return 0
	fxrstor64 [rsp]
	add rsp, 512 + 8
	pop r11
	pop r10
	pop r9
	pop r8
	pop rdi
	pop rsi
	pop rdx
	pop rcx
	pop rax
	pop rbp
	iretq
%endmacro

; Between sti and hlt (idle.asm) a wake-up may be pending. Our return would let it in before the halt, and it would be
; lost: so we return behind the halt.
interrupt_nmi_entry:
	registers_save
	lea rax, [idle_halt_about]
	cmp rax, [rbp + 8]
	jne .elsewhere
	lea rax, [idle_halt_over]
	mov [rbp + 8], rax
.elsewhere:
	sub rsp, 8           ; the stack stays aligned below a struct arch_place of three words
	push qword [rbp]     ; frame pointer
	push qword [rbp + 32] ; stack pointer
	push qword [rbp + 8] ; instruction
	mov rdi, rsp
	call nmi_handle
	add rsp, 32
	registers_restore_and_return

interrupt_acknowledge_entry:
	registers_save
	call apic_end_of_interrupt
	registers_restore_and_return

; Spurious interrupts must not be acknowledged, and no other device was told to interrupt.
interrupt_ignore_entry:
	iretq

section .rodata align=8
fault_entries:
%assign vector 0
%rep VECTORS
	dq fault_entry_%+vector
%assign vector vector + 1
%endrep

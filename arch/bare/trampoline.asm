; How a processor other than the first comes up: the start interrupt (SIPI) makes it run, in 16-bit mode, the page
; below 1 MiB whose number the interrupt carries. processors.c copies trampoline_begin to trampoline_end there; this
; code works at any such page. It jumps straight to code of the kernel's image, so the page itself need not be mapped.

; Selectors in a table of its own, used until descriptors_load().
%define SELECTOR_CODE           0x08
%define SELECTOR_DATA           0x10
%define SELECTOR_CODE_32        0x18

%include "arch/bare/control.inc"
%define MSR_APIC_BASE           0x1b
%define APIC_ENABLED            1 << 11
%define APIC_WIDE               1 << 10
%define MSR_APIC_ID             0x802
%define APIC_ID                 0x20 ; offset among its registers

; struct processor_start in processors.h
%define START_HARDWARE_ID       128
%define START_STATE             132
%define START_STACK             136
%define START_SIZE              192
%define STATE_AWAITED           0
%define STATE_ARRIVED           1

global trampoline_begin, trampoline_end
extern processor_start_list, processor_start_count, processor_start_wide
extern processor_start_root, processor_start_efer, processor_start_apic
extern processor_arrive

section .rodata
bits 16
trampoline_begin:
	cli
	cld
	mov ax, cs
	mov ds, ax
	o32 lgdt [descriptors_pointer - trampoline_begin]
	mov eax, CR0_PROTECTED
	mov cr0, eax
	jmp dword SELECTOR_CODE_32:enter_32
descriptors_pointer:
	dw descriptors_end - descriptors - 1
	dd descriptors
trampoline_end:

align 8
descriptors:
	dq 0
	dq 0x00af9b000000ffff ; SELECTOR_CODE
	dq 0x00cf93000000ffff ; SELECTOR_DATA
	dq 0x00cf9b000000ffff ; SELECTOR_CODE_32
descriptors_end:

section .text
bits 32
enter_32:
	mov eax, SELECTOR_DATA
	mov ds, eax
	mov es, eax
	mov ss, eax
	mov eax, CR4_ADDRESS_EXTENSION | CR4_VECTORS | CR4_VECTOR_EXCEPTIONS
	mov cr4, eax
	mov eax, [processor_start_root]
	mov cr3, eax
	; Before paging: the page tables have no-execute bits, which fault until EFER allows them.
	mov ecx, MSR_EFER
	mov eax, [processor_start_efer]
	mov edx, 0
	wrmsr
	; All bits at once: the start interrupt leaves the caches off.
	mov eax, CR0_PROTECTED | CR0_MONITOR_COPROCESSOR | CR0_NUMERIC_ERROR | CR0_WRITE_PROTECT | CR0_PAGING
	mov cr0, eax
	jmp dword SELECTOR_CODE:enter_64

bits 64
default rel
enter_64:
	; Which processor is this? Firmware may have changed the id that CPUID gives: the interrupt controller's id
	; counts, once the controller is in the mode that the boot processor chose.
	mov ecx, MSR_APIC_BASE
	rdmsr
	cmp byte [processor_start_wide], 0
	je .narrow
	or eax, APIC_ENABLED ; from off, the mode must pass through the narrow one
	wrmsr
	or eax, APIC_WIDE
	wrmsr
	mov ecx, MSR_APIC_ID
	rdmsr
	mov edi, eax
	jmp .search
.narrow:
	test eax, APIC_WIDE
	jz .enable
	and eax, ~(APIC_ENABLED | APIC_WIDE) ; the way back passes through off
	wrmsr
.enable:
	or eax, APIC_ENABLED
	wrmsr
	mov rdi, [processor_start_apic]
	mov edi, [rdi + APIC_ID]
	shr edi, 24
.search:
	mov rsi, [processor_start_list]
	mov ecx, [processor_start_count]
.next:
	jecxz .park
	dec ecx
	cmp [rsi + START_HARDWARE_ID], edi
	je .found
	add rsi, START_SIZE
	jmp .next
.found:
	; AWAITED -> ARRIVED, once: the boot processor may have given up (AWAITED -> ABANDONED), and a processor that is
	; started twice must not get further the second time. Pairs with start_is_ready() in processors.c.
	mov eax, STATE_AWAITED
	mov edx, STATE_ARRIVED
	lock cmpxchg [rsi + START_STATE], edx
	jne .park
	mov rsp, [rsi + START_STACK]
	mov rdi, rsi
	mov eax, 0
	mov fs, eax
	mov gs, eax
	mov ebp, 0 ; the end of every back trace
	push 0     ; as if called from nowhere
	jmp processor_arrive
.park:
	cli
	hlt
	jmp .park

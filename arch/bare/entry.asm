; Where the boot loader jumps to: multiboot2 (GRUB under BIOS and UEFI) and PVH (QEMU and other monitors,
; -kernel). Both come in 32-bit protected mode without paging, with the address of the loader's data in EBX.
; From here to 64-bit mode and to machine_enter(loader, information) in start.c.
;
; There is no multiboot1 header: QEMU refuses to load a 64-bit image that has one.

%define MULTIBOOT2_HEADER_MAGIC 0xe85250d6
%define PVH_MAGIC               0x336ec578 ; the first word of the start information
%define BOOT_STACK_SIZE         65536

%include "arch/bare/control.inc"
%define EFER_LONG_MODE          1 << 8
%define CPUID_LONG_MODE         1 << 29
%define CPUID_VECTORS           1 << 24 | 1 << 26 ; FXSAVE, SSE2

%define PAGE_PRESENT_WRITABLE   0x003
%define PAGE_LARGE              0x083   ; 2 MiB, present, writable
%define SERIAL_DATA             0x3f8
%define SERIAL_LINE_STATUS      0x3fd
%define SERIAL_TRANSMIT_EMPTY   1 << 5
%define EXIT_PORT               0xf4
%define EXIT_FAILURE            0x11

extern machine_enter
extern image_bss_start, image_end
global multiboot2_entry, pvh_entry
global boot_stack_guard, boot_stack_low, boot_stack_high

section .multiboot2 progbits alloc exec nowrite align=8
multiboot2_header:
	dd MULTIBOOT2_HEADER_MAGIC
	dd 0 ; architecture: 32-bit protected mode
	dd HEADER_LENGTH
	dd -(MULTIBOOT2_HEADER_MAGIC + HEADER_LENGTH) & 0xffffffff
	; A framebuffer of any size and depth. Optional: without one, we still have the serial port.
	dw 5, 1
	dd 20
	dd 0, 0, 0 ; width, height, depth: no preference
	align 8, db 0
	; No more requests.
	dw 0, 0
	dd 8
HEADER_LENGTH equ $ - multiboot2_header

section .note.boot note alloc noexec nowrite align=4
	dd 4, 8, 18 ; lengths of name and descriptor; XEN_ELFNOTE_PHYS32_ENTRY
	db "Xen", 0
	dq pvh_entry

section .text
bits 32
multiboot2_entry:
	mov edi, eax ; eax identifies the loader
	jmp enter
pvh_entry:
	cld
	; QEMU does not clear memory when it reloads the image after a reset.
	mov eax, 0
	mov edi, image_bss_start
	mov ecx, image_end
	sub ecx, edi
	shr ecx, 2 ; both ends are page-aligned
	rep stosd
	mov edi, PVH_MAGIC
enter:
	cli
	cld
	mov esp, boot_stack_high
	mov esi, ebx

	mov eax, 0x80000000
	cpuid
	cmp eax, 0x80000001
	jb no_long_mode
	mov eax, 0x80000001
	cpuid
	test edx, CPUID_LONG_MODE
	jz no_long_mode
	mov eax, 1
	cpuid
	and edx, CPUID_VECTORS
	cmp edx, CPUID_VECTORS
	jne no_long_mode

	; The low 4 GiB at their own addresses, with all rights, until paging.c has built the final tables.
	mov dword [map_level_4], map_level_3 + PAGE_PRESENT_WRITABLE
	mov eax, map_level_2 + PAGE_PRESENT_WRITABLE
	mov ecx, 0
.level_3:
	mov [map_level_3 + ecx * 8], eax
	add eax, 4096
	inc ecx
	cmp ecx, 4
	jb .level_3
	mov eax, PAGE_LARGE
	mov ecx, 0
.level_2:
	mov [map_level_2 + ecx * 8], eax
	add eax, 1 << 21
	inc ecx
	cmp ecx, 4 * 512
	jb .level_2

	; Vector registers first: the compiler may use them in any C function.
	mov eax, CR4_ADDRESS_EXTENSION | CR4_VECTORS | CR4_VECTOR_EXCEPTIONS
	mov cr4, eax
	mov eax, map_level_4
	mov cr3, eax
	mov ecx, MSR_EFER
	rdmsr
	or eax, EFER_LONG_MODE
	wrmsr
	mov eax, CR0_PROTECTED | CR0_MONITOR_COPROCESSOR | CR0_NUMERIC_ERROR | CR0_WRITE_PROTECT | CR0_PAGING
	mov cr0, eax
	lgdt [descriptors_pointer]
	jmp dword 0x08:enter_64

; It is too early for anything but the serial port, as the firmware left it; each wait for it is bounded. Then the
; end, as in shutdown.c.
no_long_mode:
	mov esi, no_long_mode_text
.character:
	lodsb
	test al, al
	jz .halt
	mov ah, al
	mov ecx, 100000
	mov edx, SERIAL_LINE_STATUS
.wait:
	in al, dx
	test al, SERIAL_TRANSMIT_EMPTY
	loopz .wait
	mov edx, SERIAL_DATA
	mov al, ah
	out dx, al
	jmp .character
.halt:
	mov edx, EXIT_PORT
	mov eax, EXIT_FAILURE
	out dx, eax
.halt_for_ever:
	hlt
	jmp .halt_for_ever

bits 64
enter_64:
	mov eax, 0x10
	mov ds, eax
	mov es, eax
	mov ss, eax
	mov eax, 0
	mov fs, eax
	mov gs, eax
	mov esp, boot_stack_high ; clears the upper halves: a change of mode leaves them undefined
	mov edi, edi
	mov esi, esi
	mov ebp, 0               ; the end of every back trace
	call machine_enter       ; does not return

section .rodata
no_long_mode_text:
	db "heddle: this processor has no 64-bit mode, or no SSE2 in it. Heddle needs an x86-64 processor; in QEMU, start "
	db "qemu-system-x86_64.", 13, 10, 0
align 8
descriptors:
	dq 0
	dq 0x00af9b000000ffff ; SELECTOR_CODE
	dq 0x00cf93000000ffff ; SELECTOR_DATA
descriptors_end:
descriptors_pointer:
	dw descriptors_end - descriptors - 1
	dd descriptors

section .bss align=4096
map_level_4: resb 4096
map_level_3: resb 4096
map_level_2: resb 4 * 4096

; paging.c unmaps the page below the stack.
section .boot_stack nobits alloc noexec write align=4096
boot_stack_guard: resb 4096
boot_stack_low:   resb BOOT_STACK_SIZE
boot_stack_high:

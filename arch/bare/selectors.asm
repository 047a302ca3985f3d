; Load the segment registers from a new descriptor table.

bits 64

%define SELECTOR_CODE 0x08 ; as in machine.h
%define SELECTOR_DATA 0x10

section .text

; void selectors_load(void)
global selectors_load:function
selectors_load:
	mov eax, SELECTOR_DATA
	mov ds, eax
	mov es, eax
	mov ss, eax
	pop rax
	push SELECTOR_CODE
	push rax
	o64 retf ; the only return that loads the code segment

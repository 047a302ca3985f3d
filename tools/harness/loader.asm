; A boot loader for disk images: loads one kernel, which follows it on the disk, and enters it as a multiboot2 loader
; does. For emulators in which BIOS and GRUB do not work together, and for machines with a test's own firmware tables
; (harness/disk.py, which passes the numbers and makes the image).
;
;     LOADER_SECTORS         of this file
;     KERNEL                 file with the kernel as it is in memory, whole sectors
;     KERNEL_ADDRESS         where it belongs
;     KERNEL_ZERO, _BYTES    memory after it to clear
;     KERNEL_ENTRY           in 32-bit mode
;     TAGS                   file with the tags of the boot information that do not depend on the machine
;     REGISTERS              file with model-specific registers to set last, 12 bytes each: number, value

%define LOADED_AT     0x7c00
%define BUFFER        0x10000 ; where the BIOS reads to
%define BUFFER_PIECE  32      ; sectors
%define SECTOR        512
%define MAGIC         0x36d76289
%define TAG_MAP       6
%define TAG_FIRMWARE  14
%define MAP_ENTRY     24
%define SMAP          0x534d4150
%define FIRMWARE_LOW  0xe0000
%define FIRMWARE_HIGH 0x100000
%define FIRMWARE_SIZE 36

org LOADED_AT
bits 16
	jmp 0:start
start:
	xor ax, ax
	mov ds, ax
	mov es, ax
	mov ss, ax
	mov sp, LOADED_AT
	cld
	mov [drive], dl
	mov si, packet.loader
	call read
	in al, 0x92 ; enable address line 20
	or al, 2
	and al, 0xfe
	out 0x92, al
	jmp load

; Read what the packet at si describes.
read:
	mov ah, 0x42
	mov dl, [drive]
	int 0x13
	jnc .done
	mov al, '!' ; no more can be reported here
	mov ah, 0x0e
	int 0x10
	jmp $
.done:
	ret

drive:	db 0
align 4
packet:
.loader: ; the rest of this file
	dw 16, LOADER_SECTORS - 1, LOADED_AT + SECTOR, 0
	dq 1
.kernel:
	dw 16, BUFFER_PIECE, 0, BUFFER >> 4
.sector:
	dq LOADER_SECTORS

descriptors:
	dw descriptors_end - descriptors - 1
	dd descriptors
	dw 0
	dq 0x00cf9b000000ffff ; code, 32 bits
	dq 0x00cf93000000ffff ; data
descriptors_end:

	times SECTOR - 2 - ($ - $$) db 0
	dw 0xaa55

; Piece by piece through the buffer. Segment registers that were loaded once in protected mode can access all memory
; in 16-bit mode, too, until the BIOS is called.
load:
	mov si, packet.kernel
	call read
	cli
	lgdt [descriptors]
	mov eax, cr0
	inc ax
	mov cr0, eax
	mov bx, 16
	mov ds, bx
	mov es, bx
	dec ax
	mov cr0, eax
	xor bx, bx
	mov ds, bx
	mov es, bx
	mov esi, BUFFER
	mov edi, [destination]
	mov ecx, BUFFER_PIECE * SECTOR / 4
	a32 rep movsd
	mov [destination], edi
	sti
	add dword [packet.sector], BUFFER_PIECE
	cmp edi, KERNEL_ADDRESS + KERNEL_BYTES
	jb load

; The memory map: a tag at the end of the boot information; si keeps its place.
	mov si, [information_end]
	lea di, [si + 16]
	xor ebx, ebx
.region:
	mov eax, 0xe820
	mov edx, SMAP
	mov ecx, 20
	mov dword [di + 20], 0
	int 0x15
	jc .map_done
	add di, MAP_ENTRY
	test ebx, ebx
	jnz .region
.map_done:
	mov dword [si], TAG_MAP
	mov ax, di
	sub ax, si
	movzx eax, ax
	mov [si + 4], eax
	mov dword [si + 8], MAP_ENTRY
	mov dword [si + 12], 0
	mov [information_end], di
	cli
	lgdt [descriptors]
	mov eax, cr0
	inc ax
	mov cr0, eax
	jmp 8:enter

bits 32
enter:
	mov ax, 16
	mov ds, ax
	mov es, ax
	mov ss, ax
	mov edi, KERNEL_ZERO
	mov ecx, KERNEL_ZERO_BYTES
	xor eax, eax
	rep stosb
	movzx edi, word [information_end]
	mov esi, FIRMWARE_LOW
.look: ; for the root pointer of the firmware's tables
	cmp dword [esi], "RSD "
	jne .further
	cmp dword [esi + 4], "PTR "
	je .found
.further:
	add esi, 16
	cmp esi, FIRMWARE_HIGH
	jb .look
	jmp .finish
.found:
	mov dword [edi], TAG_FIRMWARE
	mov dword [edi + 4], 8 + FIRMWARE_SIZE
	add edi, 8
	mov ecx, FIRMWARE_SIZE
	rep movsb
	add edi, 7
	and edi, -8
.finish:
	mov dword [edi], 0 ; the end tag
	mov dword [edi + 4], 8
	lea eax, [edi + 8 - information]
	mov [information], eax
	mov esi, registers
.register:
	cmp esi, registers.end
	jae .enter
	lodsd
	mov ecx, eax
	lodsd
	mov edx, [esi]
	add esi, 4
	wrmsr
	jmp .register
.enter:
	mov ebx, information
	mov eax, MAGIC
	mov edx, KERNEL_ENTRY
	jmp edx

destination:     dd KERNEL_ADDRESS
information_end: dw information.end
registers:
	incbin REGISTERS
.end:
align 8
information: ; of multiboot2; it grows into the memory after it
	dd 0, 0
	incbin TAGS
align 8
.end:
	times LOADER_SECTORS * SECTOR - ($ - $$) db 0
	incbin KERNEL

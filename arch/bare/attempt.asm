; Instructions that a processor may lack although it claims to have them: model-specific registers, waiting for a
; write. A missing one faults; faults.c finds the instruction in the list below and goes on at attempt_failed, as if
; by a jump.

bits 64
default rel

global attempts, attempt_failed

section .text

; bool msr_try_read(number: edi, value: rsi)
global msr_try_read:function (msr_try_write - msr_try_read)
msr_try_read:
	mov ecx, edi
.access:
	rdmsr
	mov [rsi], eax
	mov [rsi + 4], edx
	mov eax, 1
	ret

; bool msr_try_write(number: edi, value: rsi)
global msr_try_write:function (monitor_try - msr_try_write)
msr_try_write:
	mov ecx, edi
	mov eax, esi
	mov rdx, rsi
	shr rdx, 32
.access:
	wrmsr
	mov eax, 1
	ret

; bool monitor_try(word: rdi): watch the word as idle_monitor() does; it is written to meanwhile, which ends the wait.
global monitor_try:function (attempt_failed - monitor_try)
monitor_try:
	mov rax, rdi
	xor ecx, ecx
	xor edx, edx
.watch:
	monitor
	lock add dword [rdi], 0
	xor eax, eax
	mov ecx, 1
.wait:
	mwait
	mov eax, 1
	ret

attempt_failed:
	xor eax, eax
	ret

; Addresses of instructions that may fault; a 0 ends the list.
section .rodata align=8
attempts:
	dq msr_try_read.access, msr_try_write.access, monitor_try.watch, monitor_try.wait, 0

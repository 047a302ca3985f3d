; The lean entry of task_suspend(), as that of a yield (context.asm): all registers are lost, and [rsp] says where to go
; on. Not in builds for a sanitizer, which must be told of each switch.

bits 64
default rel

extern arch_suspend

section .text

global heddle_suspend:function (heddle_suspend.end - heddle_suspend)
heddle_suspend:
	push rbp
	push r15
	mov rdi, rsp
	and rsp, -16
	push qword [rdi + 16] ; as if arch_suspend() were called from where the task goes on
	jmp arch_suspend
.end:

section .note.GNU-stack noalloc noexec nowrite progbits

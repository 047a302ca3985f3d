#include "runtime.h"

#include "entries.h"
#include "gcc.h"
#include "options.h"

/* Absent from lto1. */
extern int flag_hosted __attribute__((weak));

/* There are no tasks: a check finds that there is plenty of time. Functions that foreign code calls (entries.h) save
 * r15 for that code. Seen from inside they look like callees of their caller; the call of what is here does not
 * show. */
static const char plain[] = R"(
	.section .text.heddle_runtime, "axG", @progbits, heddle_runtime, comdat
	.weak	heddle_quantum_spent, heddle_callback, heddle_callback_pushed, heddle_foreign, heddle_foreign_pushed
	.weak	heddle_foreign_at, heddle_foreign_at_pushed
	.weak	heddle_stack_jumped, heddle_stack_entered, heddle_stack_landed
	.weak	task_keep_control, heddle_keep_error, uncooperative_begin, uncooperative_end
	.type	heddle_quantum_spent, @function
	.type	heddle_callback, @function
	.type	heddle_callback_pushed, @function
	.type	heddle_foreign, @function
	.type	heddle_foreign_pushed, @function
	.type	heddle_foreign_at, @function
	.type	heddle_foreign_at_pushed, @function
	.type	heddle_stack_jumped, @function
	.type	heddle_stack_entered, @function
	.type	heddle_stack_landed, @function
	.type	task_keep_control, @function
	.type	heddle_keep_error, @function
	.type	uncooperative_begin, @function
	.type	uncooperative_end, @function
heddle_quantum_spent:
	movl	$0x7fff, %r15d
heddle_stack_jumped:
heddle_stack_entered:
heddle_stack_landed:
task_keep_control:
heddle_keep_error:
uncooperative_begin:
uncooperative_end:
	ret
heddle_foreign:
heddle_foreign_pushed:
heddle_foreign_at:
heddle_foreign_at_pushed:
	movq	(%rsp), %r11
	jmp	*%r10
heddle_callback:
	.cfi_startproc
	.cfi_def_cfa_offset 16
	xorl	%r11d, %r11d
heddle_callback_pushed:
	pushq	%rbp
	.cfi_def_cfa_offset 24
	.cfi_offset %rbp, -24
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	pushq	%r15
	.cfi_offset %r15, -32
	pushq	%rax
	pushq	%r10
	subq	%r11, %rsp
	leaq	24(%rbp), %rax
	andl	$63, %eax
	subq	%rax, %rsp
	andq	$-64, %rsp
	addq	%rax, %rsp
	testq	%r11, %r11
	jz	2f
1:	subq	$8, %r11
	movq	24(%rbp, %r11), %rax
	movq	%rax, (%rsp, %r11)
	jnz	1b
2:	movq	-24(%rbp), %r10
	movq	-16(%rbp), %rax
	movq	8(%rbp), %r11
	incq	%r11
	movl	$0x7fff, %r15d
	call	*%r11
	movq	-8(%rbp), %r15
	leave
	.cfi_def_cfa %rsp, 16
	.cfi_restore %rbp
	.cfi_restore %r15
	ret
	.cfi_endproc
	.section .data.heddle_runtime, "awG", @progbits, heddle_runtime, comdat
	.weak	heddle_processor_base
	.type	heddle_processor_base, @object
	.balign	64
heddle_processor_base:
	.zero	16
	.long	0x7fff
	.zero	108
)";

/* This tells the hosted program that it needs clock ticks to end quanta (arch/hosted/ticks.c). */
static const char polled[] = R"(
	.section .rodata.heddle_polled, "aG", @progbits, heddle_polled, comdat
	.weak	heddle_polled
	.type	heddle_polled, @object
heddle_polled:
	.byte	1
)";

/* A thread that is no processor has no limit, so it never comes here. The compiler makes the linker wrap
 * pthread_create(), for another library's stacks. */
static const char growing[] = R"(
	.section .text.heddle_growth, "axG", @progbits, heddle_growth, comdat
	.weak	__morestack, __morestack_allocate_stack_space, __wrap_pthread_create, __real_pthread_create
	.type	__morestack, @function
	.type	__morestack_allocate_stack_space, @function
	.type	__wrap_pthread_create, @function
__morestack:
__morestack_allocate_stack_space:
	ud2
__wrap_pthread_create:
	jmp	*__real_pthread_create@GOTPCREL(%rip)
)";

void runtime_write()
{
	const bool freestanding = &flag_hosted && !flag_hosted;
	const bool intel = ASSEMBLER_DIALECT == ASM_INTEL;
	fprintf(asm_out_file, "%s\t.pushsection\t.text%s%s%s", intel ? "\t.att_syntax prefix\n" : "",
	        freestanding ? "\n" : plain, !freestanding && flag_split_stack ? growing : "",
	        options.polls ? polled : "");
	fprintf(asm_out_file, "\t.popsection\n%s", intel ? "\t.intel_syntax noprefix\n" : "");
}

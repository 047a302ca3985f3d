; Functions that instrumented code calls in place of some functions of the C and C++ libraries: the linker prefers
; these names to the thunks that each object has for foreign functions (tools/plugin/calls.h). They are called like
; instrumented functions: on the task's own stack, with the counter in r15.

bits 64
default rel
%include "arch/x86_64/assembly.inc"
%include "arch/x86_64/unwinding.inc"

extern heddle_processor_base
extern heddle_foreign
extern heddle_foreign_pushed
extern hosted_lock_taken
extern hosted_lock_given
extern hosted_condition_wait
extern hosted_condition_timedwait
extern hosted_condition_clockwait
extern hosted_sigaction
extern hosted_signal
extern hosted_signal_once
extern hosted_raise
extern hosted_pthread_kill
extern hosted_pthread_sigmask
extern hosted_sigprocmask
extern hosted_sigpending
extern hosted_sigsuspend
extern hosted_sigtimedwait
extern hosted_sigwaitinfo
extern hosted_sigwait
extern hosted_posix_spawn
extern hosted_posix_spawnp
extern hosted_system
extern hosted_popen
extern hosted_execve
extern hosted_execv
extern hosted_execvp
extern hosted_execvpe
extern hosted_fexecve
extern hosted_execl
extern hosted_execlp
extern hosted_execle

%define OWNER_DIED 130 ; EOWNERDEAD

section heddle_foreign_text exec progbits alloc align=16

ways:

; The names by which a function is called, whatever is on the stack.
%macro WAY 1
global %1.heddle:function
global %1.heddle.grow:function
global %1.heddle.push:function
%1.heddle:
%1.heddle.grow:
%1.heddle.push:
%endmacro

%macro FOREIGN 1
extern %1
	mov r10, [rel %1 wrt ..got]
	call heddle_foreign
%endmacro

; Call a function of Heddle's that may switch: meanwhile the counter is in the block.
%macro OWN 1
	mov [PROCESSOR(QUANTUM)], r15d
	call %1
	mov r15d, [PROCESSOR(QUANTUM)]
%endmacro

; A lock that belongs to the caller if the function returns the given value: 0, or 1 for one that returns a truth
; value.
%macro TAKES 2
WAY %1
	push rbp
	FOREIGN %1
	pop rbp
	cmp eax, %2
	je taken
	cmp eax, OWNER_DIED
	je taken
	ret
%endmacro

%macro TAKES_ALWAYS 1
WAY %1
	push rbp
	FOREIGN %1
	pop rbp
	jmp taken
%endmacro

%macro GIVES 1
WAY %1
	push rbp
	FOREIGN %1
	pop rbp
	test eax, eax
	jz given
	ret
%endmacro

%macro GIVES_ALWAYS 1
WAY %1
	push rbp
	FOREIGN %1
	pop rbp
	jmp given
%endmacro

%macro WAITS 2
WAY %1
	push rbp
	OWN %2
	pop rbp
	ret
%endmacro

; A function of Heddle's that needs as much stack as those of the C library.
%macro INSTEAD 2
WAY %1
	lea r10, [rel %2]
	jmp heddle_foreign
%endmacro

; The same, with arguments that may lie on the stack: r11 bytes, as heddle_foreign_pushed expects.
%macro INSTEAD_PUSHED 2
global %1.heddle:function
global %1.heddle.grow:function
global %1.heddle.push:function
%1.heddle:
%1.heddle.grow:
	lea r10, [rel %2]
	jmp heddle_foreign
%1.heddle.push:
	lea r10, [rel %2]
	jmp heddle_foreign_pushed
%endmacro

taken:
	mov edi, eax
	jmp hosted_lock_taken
given:
	push rbp
	mov edi, eax
	OWN hosted_lock_given
	pop rbp
	ret

TAKES pthread_mutex_lock, 0
TAKES pthread_mutex_trylock, 0
TAKES pthread_mutex_timedlock, 0
TAKES pthread_mutex_clocklock, 0
GIVES pthread_mutex_unlock
TAKES pthread_rwlock_rdlock, 0
TAKES pthread_rwlock_wrlock, 0
TAKES pthread_rwlock_tryrdlock, 0
TAKES pthread_rwlock_trywrlock, 0
TAKES pthread_rwlock_timedrdlock, 0
TAKES pthread_rwlock_timedwrlock, 0
TAKES pthread_rwlock_clockrdlock, 0
TAKES pthread_rwlock_clockwrlock, 0
GIVES pthread_rwlock_unlock
TAKES pthread_spin_lock, 0
TAKES pthread_spin_trylock, 0
GIVES pthread_spin_unlock
TAKES mtx_lock, 0
TAKES mtx_trylock, 0
TAKES mtx_timedlock, 0
GIVES mtx_unlock
TAKES_ALWAYS flockfile
TAKES ftrylockfile, 0
GIVES_ALWAYS funlockfile

WAITS pthread_cond_wait, hosted_condition_wait
WAITS pthread_cond_timedwait, hosted_condition_timedwait
WAITS pthread_cond_clockwait, hosted_condition_clockwait
WAITS cnd_wait, hosted_condition_wait

; std::condition_variable::wait(std::unique_lock<std::mutex> &): the first is a condition, the second begins with the
; address of its mutex.
WAY _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE
	mov rsi, [rsi]
	jmp pthread_cond_wait.heddle

INSTEAD sigaction, hosted_sigaction
INSTEAD signal, hosted_signal
INSTEAD bsd_signal, hosted_signal
INSTEAD sysv_signal, hosted_signal_once
INSTEAD __sysv_signal, hosted_signal_once
INSTEAD raise, hosted_raise
INSTEAD gsignal, hosted_raise
INSTEAD pthread_kill, hosted_pthread_kill
INSTEAD pthread_sigmask, hosted_pthread_sigmask
INSTEAD sigprocmask, hosted_sigprocmask
INSTEAD sigpending, hosted_sigpending
INSTEAD sigsuspend, hosted_sigsuspend
INSTEAD sigtimedwait, hosted_sigtimedwait
INSTEAD sigwaitinfo, hosted_sigwaitinfo
INSTEAD sigwait, hosted_sigwait

INSTEAD posix_spawn, hosted_posix_spawn
INSTEAD posix_spawnp, hosted_posix_spawnp
INSTEAD system, hosted_system
INSTEAD popen, hosted_popen
INSTEAD execve, hosted_execve
INSTEAD execv, hosted_execv
INSTEAD execvp, hosted_execvp
INSTEAD execvpe, hosted_execvpe
INSTEAD fexecve, hosted_fexecve
INSTEAD_PUSHED execl, hosted_execl
INSTEAD_PUSHED execlp, hosted_execlp
INSTEAD_PUSHED execle, hosted_execle

; Static variables of functions: only programs that have some contain the run-time library of C++.
%macro GUARD 1
extern %1:weak
%endmacro
GUARD __cxa_guard_acquire
GUARD __cxa_guard_release
GUARD __cxa_guard_abort
TAKES __cxa_guard_acquire, 1
GIVES_ALWAYS __cxa_guard_release
GIVES_ALWAYS __cxa_guard_abort

; The checked one, which takes a jump to another piece of a stack for an error.
extern longjmp
global __longjmp_chk.heddle.grow:function
__longjmp_chk.heddle.grow:
	mov r10, [rel longjmp wrt ..got]
	jmp heddle_foreign
ways_end:

; Each function begins with a push, except some that call nothing and do not return: so its caller can be found as
; long as it calls something.
UNWINDING_COMMON
UNWINDING_OF ways, ways_end
	db CFA_OFFSET_OF_IT, 16
UNWINDING_END

section .note.GNU-stack noalloc noexec nowrite progbits

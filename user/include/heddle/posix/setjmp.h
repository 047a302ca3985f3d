/* In front of the system's header of this name: what a thread blocks is kept and restored. */
#ifndef HEDDLE_POSIX_SETJMP_H
#define HEDDLE_POSIX_SETJMP_H
#pragma GCC system_header
#include_next <setjmp.h>

#ifdef sigsetjmp /* a program of ISO C alone has none */
#	ifdef __cplusplus
extern "C" {
#	endif
struct __jmp_buf_tag *heddle_keep_mask(struct __jmp_buf_tag *buffer);
void heddle_siglongjmp(struct __jmp_buf_tag *buffer, int value) __attribute__((noreturn));
#	ifdef __cplusplus
}
#	endif
#	undef sigsetjmp
#	define sigsetjmp(buffer, keeps) __sigsetjmp(heddle_keep_mask(buffer), (keeps))
#	define siglongjmp               heddle_siglongjmp
#endif

#endif

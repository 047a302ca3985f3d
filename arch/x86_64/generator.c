/*
 * What the sanitizers must be told of generators.
 */
#include "arch/x86_64/generator.h"

#include "arch/arch.h"

#ifdef __SANITIZE_ADDRESS__
#	include <sanitizer/asan_interface.h>
#	include <sanitizer/common_interface_defs.h>
#endif
#ifdef __SANITIZE_THREAD__
#	include <sanitizer/tsan_interface.h>
#endif

#define UNSEEN __attribute__((no_sanitize("address", "thread")))

void arch_generator_create(struct generator_resumer *resumer, void *low, size_t size)
{
	(void)low, (void)size;
#ifdef __SANITIZE_ADDRESS__
	__asan_unpoison_memory_region(low, size); /* frames that were left without their end */
#endif
	*resumer = (struct generator_resumer){0};
#ifdef __SANITIZE_THREAD__
	resumer->fiber = __tsan_create_fiber(0);
#endif
}

void arch_generator_destroy(struct generator_resumer *resumer, void *low, size_t size)
{
	(void)resumer, (void)low, (void)size;
#ifdef __SANITIZE_THREAD__
	__tsan_destroy_fiber(resumer->fiber);
#endif
#ifdef __SANITIZE_ADDRESS__
	__asan_unpoison_memory_region(low, size);
#endif
}

UNSEEN void arch_generator_entered(struct generator_resumer *resumer)
{
	(void)resumer;
#ifdef __SANITIZE_ADDRESS__
	__sanitizer_finish_switch_fiber(resumer->fake_stack, &resumer->resumer_low, &resumer->resumer_size);
#endif
}

#ifdef HEDDLE_GENERATOR_SANITIZED
UNSEEN intptr_t generator_switch_in_noticed(struct generator_state *state, struct generator_resumer *resumer)
{
#	ifdef __SANITIZE_ADDRESS__
	__sanitizer_start_switch_fiber(&resumer->resumer_fake_stack, (void *)resumer->low,
	                               (uintptr_t)(resumer + 1) - resumer->low);
#	else
	resumer->resumer_fiber = __tsan_get_current_fiber();
	__tsan_switch_to_fiber(resumer->fiber, 0);
#	endif
	intptr_t value = generator_jump_in(state, resumer);
#	ifdef __SANITIZE_ADDRESS__
	__sanitizer_finish_switch_fiber(resumer->resumer_fake_stack, NULL, NULL);
#	endif
	return value;
}

UNSEEN void generator_switch_out_noticed(struct generator_resumer *resumer, intptr_t value)
{
#	ifdef __SANITIZE_ADDRESS__
	__sanitizer_start_switch_fiber(&resumer->fake_stack, resumer->resumer_low, resumer->resumer_size);
#	else
	__tsan_switch_to_fiber(resumer->resumer_fiber, 0);
#	endif
	generator_jump_out(resumer, value);
	arch_generator_entered(resumer);
}
#endif

/* How code that the plugin compiles locks and unlocks inline (heddle/mutex_inline.h). */
#ifndef SYNC_INLINE_WAY_H
#define SYNC_INLINE_WAY_H

/* Choose `heddle_lock_way`. Boot processor, before tasks run. */
void inline_way_start(void);

#endif

/*
 * Small objects of any size, for tasks (heddle_new(), heddle/system.h): each size class is a pool, and what is larger
 * than the largest is pages of its own. An object's head is the pool's; while the object is in use, the head also says
 * which class it is of, so that only the address is needed to give it back.
 *
 * | operation     | progress                                  | takes effect          |
 * |---------------|-------------------------------------------|-----------------------|
 * | object_new    | as pool_take; larger ones memory_allocate | where that does       |
 * | object_delete | as pool_give; larger ones memory_free     | where that does       |
 *
 * May be called by any processor, also for an object that another one has made.
 */
#ifndef KERNEL_OBJECT_H
#define KERNEL_OBJECT_H

#include <stddef.h>

#define OBJECT_LARGEST 4096 /* of a class */

/* Boot processor, once pools can be made. */
void object_start(void);

/* At least `bytes`, aligned to 16; the contents are undefined. NULL: no memory. */
void *object_new(size_t bytes);

/* Panics if it is not in use. NULL has no effect. */
void object_delete(void *memory);

#endif

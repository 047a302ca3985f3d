#include "kernel/object.h"

#include "kernel/memory.h"
#include "kernel/panic.h"
#include "kernel/pool.h"

#define STEP 16 /* to which sizes are rounded before a class is looked up */

static const uint16_t sizes[] = {16, 32, 48, 64, 96, 128, 192, 256, 512, 1024, 2048, OBJECT_LARGEST};
#define CLASSES (sizeof(sizes) / sizeof(*sizes))

static struct pool pools[CLASSES];
static uint8_t class_of[OBJECT_LARGEST / STEP + 1]; /* by size in steps, rounded up */

/* What the head of an object says: not in use: anything less. */
#define IN_USE 0x4f626a00u
#define LARGE  (IN_USE + CLASSES) /* pages; `number` is how many */

_Static_assert(sizeof(struct pool_object) == STEP, "what follows the head is aligned as the head");

void object_start(void)
{
	unsigned class = 0;
	for (unsigned steps = 0; steps <= OBJECT_LARGEST / STEP; steps++) {
		class += steps * STEP > sizes[class];
		class_of[steps] = (uint8_t) class;
	}
	for (class = 0; class < CLASSES; class ++)
		pool_create(&pools[class], "small objects", sizeof(struct pool_object) + sizes[class], NULL);
}

static struct pool_object *large_new(size_t bytes)
{
	size_t pages =
	    bytes > MEMORY_BLOCK_LARGEST ? 0 : (bytes + sizeof(struct pool_object) + PAGE_SIZE - 1) / PAGE_SIZE;
	struct pool_object *object = pages ? memory_allocate(pages * PAGE_SIZE, MEMORY_ANY_NODE) : NULL;
	if (object)
		object->number = (uint32_t)pages;
	return object;
}

void *object_new(size_t bytes)
{
	bool large = bytes > OBJECT_LARGEST;
	unsigned class = large ? CLASSES : class_of[(bytes + STEP - 1) / STEP];
	struct pool_object *object = large ? large_new(bytes) : pool_take(&pools[class]);
	if (!object)
		return NULL;
	object->mark = IN_USE + class;
	return object + 1;
}

void object_delete(void *memory)
{
	if (!memory)
		return;
	struct pool_object *object = (struct pool_object *)memory - 1;
	uint32_t class = object->mark - IN_USE;
	if (class > CLASSES)
		panic("heddle_delete(%p): nothing is in use there: it was given back before, or heddle_new() has not "
		      "made it",
		      memory);
	object->mark = 0;
	if (class == CLASSES)
		memory_free(object, object->number * PAGE_SIZE);
	else
		pool_give(&pools[class], object);
}

/* The pools of the cases of sync/. */
#ifndef MODEL_POOL_H
#define MODEL_POOL_H

/* From now on the pool of that name has that many objects left. */
void model_pool_limit(const char *name, unsigned objects);

/* The same for the heap, in blocks. */
void model_heap_limit(unsigned blocks);

/* Objects that were not freed. */
unsigned model_pool_used(void);

#endif

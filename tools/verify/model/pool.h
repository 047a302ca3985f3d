/* The pools of the cases of sync/. */
#ifndef MODEL_POOL_H
#define MODEL_POOL_H

/* Objects that were not given back. */
unsigned model_pool_used(void);

#endif

/* The kernel as the scheduler's cases need it. */
#ifndef MODEL_KERNEL_H
#define MODEL_KERNEL_H

/* Name the variables of model/kernel.c, in a set-up. */
void model_kernel_name(void);

#endif

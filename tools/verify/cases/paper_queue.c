/* The queue with the paper's own reuse of nodes: the cases of queue.c. */
#define PAPER_QUEUE
#include "queue.c"

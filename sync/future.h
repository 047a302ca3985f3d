/* What other files of sync/ need of futures. */
#ifndef SYNC_FUTURE_H
#define SYNC_FUTURE_H

void future_start(void);

#endif

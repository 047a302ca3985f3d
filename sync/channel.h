/* The requests of a channel, for channel.c and select.c. */
#ifndef SYNC_CHANNEL_H
#define SYNC_CHANNEL_H

#include "heddle/channel.h"
#include "sync/serve.h"

/* CHANNEL_PLACE: carry out the target, or queue it. */
enum { CHANNEL_SEND = 1, CHANNEL_RECEIVE, CHANNEL_CLOSE, CHANNEL_PLACE };

extern const struct serve_kind channel_kind;

#endif

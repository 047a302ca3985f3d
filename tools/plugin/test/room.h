/* Functions whose stacks grow: for how much do they ask? */
#ifndef ROOM_H
#define ROOM_H

#include <stdbool.h>
#include <stddef.h>

void frame_small(size_t unused);
void frame_of_kilobytes(size_t unused);
void frame_of_megabytes(size_t unused);
void frame_of_a_gigabyte(size_t unused);
void array(size_t bytes);
void array_with_room(size_t bytes);

#endif

/*
 * The functions that instrumented code calls, for programs without Heddle: each object defines them weakly, and the
 * linker keeps one. So an ordinary program runs as usual, even if parts were compiled with the plugin: nothing ever
 * switches. With the library (libheddle.a), the library's functions take their place.
 */
#ifndef PLUGIN_RUNTIME_H
#define PLUGIN_RUNTIME_H

/* Into the assembly that is being written, if this unit may become part of an ordinary program. */
void runtime_write();

#endif

/*
 * What instrumented code calls, for programs without Heddle: each object has it weakly, and the linker keeps one. So
 * an ordinary program runs as usual, whatever was compiled with the plugin: nothing ever switches. With the library
 * (libheddle.a) the names are the library's.
 */
#ifndef PLUGIN_RUNTIME_H
#define PLUGIN_RUNTIME_H

/* Into the assembly that is being written, if this unit may become part of an ordinary program. */
void runtime_write();

#endif

/*
 * Functions of the C and C++ libraries that much code calls, known by their names, wherever they are compiled.
 *   - prompt ones return, or meet a check, very soon (convention.h). None of them throws: it would come to a handler
 *     later after a check than others;
 *   - lean ones need at most some 100 bytes of stack, which are there on every stack (calls.h).
 */
#ifndef PLUGIN_LIBRARY_H
#define PLUGIN_LIBRARY_H

#include <string>

/* The names as the assembler has them. */
bool library_is_prompt(const std::string &name);
bool library_is_lean(const std::string &name);

#endif

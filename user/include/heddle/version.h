/*
 * The version of these headers, and so of the shared library and the packages. While the first number is 0, programs
 * must be compiled again when the second one changes.
 */
#ifndef HEDDLE_VERSION_H
#define HEDDLE_VERSION_H

#define HEDDLE_VERSION_MAJOR 0
#define HEDDLE_VERSION_MINOR 1
#define HEDDLE_VERSION_PATCH 0

#define HEDDLE_VERSION_TEXT_OF(major, minor, patch) #major "." #minor "." #patch
#define HEDDLE_VERSION_TEXT(major, minor, patch)    HEDDLE_VERSION_TEXT_OF(major, minor, patch)

/* "0.1.0" */
#define HEDDLE_VERSION HEDDLE_VERSION_TEXT(HEDDLE_VERSION_MAJOR, HEDDLE_VERSION_MINOR, HEDDLE_VERSION_PATCH)

#endif

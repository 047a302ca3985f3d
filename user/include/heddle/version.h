/*
 * The version of these headers. What is built takes it from here: the name of the shared library, packages. As long as
 * the first number is 0, programs are compiled anew where the second one changes.
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

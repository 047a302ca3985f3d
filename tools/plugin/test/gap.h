/* The longest way from check to check, by running instruction after instruction. */
#ifndef HEDDLE_PLUGIN_TEST_GAP_H
#define HEDDLE_PLUGIN_TEST_GAP_H

#include "driver.h"

/*
 * Run the beginning of a test in single steps, and print
 *     gap NAME LONGEST EXECUTED CHARGED FROM TO
 * the largest number of instructions of instrumented code from a check to the next (or to either end of the
 * test), how many instructions of such code were executed in all, what the checks subtracted from the
 * quantum, and the addresses between which the longest way was. Instrumented code is what lies in sections
 * called "instrumented".
 */
void gap_measure(const struct test *test);

#endif

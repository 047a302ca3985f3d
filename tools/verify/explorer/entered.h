/*
 * Which functions of the code under test were entered: what coverage.py tells of.
 */
#ifndef VERIFY_ENTERED_H
#define VERIFY_ENTERED_H

/* A line with the addresses of all that were entered since the program began. */
void entered_print(void);

#endif

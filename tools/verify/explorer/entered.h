/*
 * Records which functions of the code under test were entered, for coverage.py.
 */
#ifndef VERIFY_ENTERED_H
#define VERIFY_ENTERED_H

/* Print a line with the addresses of all functions entered since the program began. */
void entered_print(void);

#endif

/*
 * The results on the screen when the run has ended, for a machine whose serial line nobody reads:
 *
 *     the log -> that of a run before, if it was asked for -> the table, page by page -> the codes, one a page ->
 *     the log ...
 *
 * A page is turned after PAGE_SECONDS, or by a key; then the next one stays for PAGE_SECONDS_AFTER_KEY, so that it can
 * be read or photographed.
 */
#ifndef ARCH_BARE_RESULT_SCREEN_H
#define ARCH_BARE_RESULT_SCREEN_H

#define PAGE_SECONDS           8
#define PAGE_SECONDS_AFTER_KEY 60

/* Where there is a screen, results are kept from now on. */
void result_screen_prepare(void);

/* The other processors are stopped, and nothing more is said. Returns only where there is no screen or nothing to
 * show. */
void result_screen_show(void);

#endif

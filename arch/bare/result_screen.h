/*
 * The results on the screen after the run, for a machine whose serial line nobody reads:
 *
 *     the log -> an earlier run's log, if asked for -> the table, page by page -> the codes, one a page ->
 *     the log ...
 *
 * A page is turned after PAGE_SECONDS, or by a key; then the next one stays for PAGE_SECONDS_AFTER_KEY, so that it can
 * be read or photographed.
 */
#ifndef ARCH_BARE_RESULT_SCREEN_H
#define ARCH_BARE_RESULT_SCREEN_H

#define PAGE_SECONDS           8
#define PAGE_SECONDS_AFTER_KEY 60

/* Keep results from now on, if there is a screen. */
void result_screen_prepare(void);

/* Show the results. The other processors are stopped, and nothing more is printed. Returns only if there is no screen
 * or nothing to show. */
void result_screen_show(void);

#endif

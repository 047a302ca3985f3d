/*
 * If standard input is a terminal, it is set to deliver each key, and restored at the end, in whatever way that comes,
 * except by a signal that cannot be caught.
 */
#include <signal.h>
#include <termios.h>
#include <unistd.h>

#include "arch/hosted/hosted.h"

static struct termios before;
static volatile sig_atomic_t is_raw;

void hosted_terminal_end(void)
{
	if (is_raw)
		tcsetattr(STDIN_FILENO, TCSANOW, &before);
	is_raw = false;
}

/* The process ends as it would have. */
static void terminal_end_by(int number)
{
	hosted_terminal_end();
	signal(number, SIG_DFL);
	raise(number);
}

static void watch_ends(void)
{
	static const int ends[] = {SIGTERM, SIGINT, SIGHUP};
	struct sigaction action = {.sa_handler = terminal_end_by, .sa_flags = SA_ONSTACK}, now;
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (sigaction(ends[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
			sigaction(ends[i], &action, NULL);
}

void hosted_terminal_start(void)
{
	if (is_raw || tcgetattr(STDIN_FILENO, &before) != 0)
		return;
	struct termios raw = before;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG | IEXTEN);
	raw.c_iflag &= ~(tcflag_t)(ICRNL | IXON);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	watch_ends();
	is_raw = true;
	tcsetattr(STDIN_FILENO, TCSANOW, &raw);
}

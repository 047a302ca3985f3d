#include "tools/measure/linux/layer/machine.h"

#include <fcntl.h>
#include <string.h>
#include <sys/io.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/utsname.h>
#include <termios.h>
#include <unistd.h>

#include "heddle/system.h"
#include "kernel/console.h"

/* QEMU's isa-debug-exit, with the values that Heddle writes. */
#define EXIT_PORT    0xf4
#define EXIT_SUCCESS 16
#define EXIT_FAILURE 17

#define CLOCK_FILE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

static const struct limit {
	const char *file, *value;
} limits[] = {
    {"/proc/sys/kernel/pid_max", "4194304"},
    {"/proc/sys/kernel/threads-max", "4194304"},
    {"/proc/sys/vm/max_map_count", "8388608"}, /* a stack counts as two: itself, and the page below it */
};

static bool file_write(const char *path, const char *text)
{
	int file = open(path, O_WRONLY);
	bool ok = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
	if (file >= 0)
		close(file);
	return ok;
}

/* The first line of a file; empty if there is none. */
static void file_read(const char *path, char *text, size_t size)
{
	int file = open(path, O_RDONLY);
	ssize_t length = file >= 0 ? read(file, text, size - 1) : 0;
	text[length > 0 ? length : 0] = 0;
	text[strcspn(text, "\n")] = 0;
	if (file >= 0)
		close(file);
}

void machine_set_up(void)
{
	struct utsname system;
	char clock[32];
	if (mount("proc", "/proc", "proc", 0, NULL) != 0 || mount("sysfs", "/sys", "sysfs", 0, NULL) != 0)
		log_error("/proc and /sys cannot be mounted");
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		if (!file_write(limits[i].file, limits[i].value))
			log_error("%s cannot be set to %s", limits[i].file, limits[i].value);
	uname(&system);
	file_read(CLOCK_FILE, clock, sizeof(clock));
	heddle_log("Linux %s %s, %u processors, clock %s", system.release, system.version, heddle_processors(),
	           clock);
}

void machine_end(bool ok)
{
	tcdrain(STDOUT_FILENO); /* all output is written */
	if (ioperm(EXIT_PORT, 4, 1) == 0)
		outl(ok ? EXIT_SUCCESS : EXIT_FAILURE, EXIT_PORT);
	reboot(RB_POWER_OFF);
	for (;;)
		pause();
}

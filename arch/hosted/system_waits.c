#include "arch/hosted/system_waits.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>

#include "arch/hosted/system_call.h"

/* A call with its arguments. */
struct call {
	long number;
	uint64_t arguments[6];
};

enum limit {
	NONE,         /* or the kernel keeps account of it */
	MILLISECONDS, /* in an argument; below 0: none */
	TIME,         /* a pointer to it is an argument; NULL: none */
	SLEEP,        /* the same, and the next argument is where the kernel stores the rest; NULL: nowhere */
	UNTIL_SLEEP,  /* the same, unless the argument before says that it is a point in time */
	FUTEX,        /* a pointer, as the operation says */
	SOCKET,       /* the descriptor may have one */
	ALWAYS,       /* it cannot be repeated */
};

/* The waits that the kernel does not always repeat by itself. */
static const struct wait {
	uint16_t number;
	uint8_t limit, argument;
} waits[] = {
    {SYS_pause, NONE, 0},
    {SYS_rt_sigsuspend, NONE, 0},
    {SYS_select, NONE, 0},
    {SYS_pselect6, NONE, 0},
    {SYS_ppoll, NONE, 0},
    {SYS_semop, NONE, 0},
    {SYS_msgrcv, NONE, 0},
    {SYS_msgsnd, NONE, 0},
    {SYS_wait4, NONE, 0},
    {SYS_waitid, NONE, 0},
    {SYS_flock, NONE, 0},
    {SYS_poll, MILLISECONDS, 2},
    {SYS_epoll_wait, MILLISECONDS, 3},
    {SYS_epoll_pwait, MILLISECONDS, 3},
    {SYS_epoll_pwait2, TIME, 3},
    {SYS_rt_sigtimedwait, TIME, 2},
    {SYS_semtimedop, TIME, 3},
    {SYS_io_getevents, TIME, 4},
    {SYS_io_pgetevents, TIME, 4},
    {SYS_nanosleep, SLEEP, 0},
    {SYS_clock_nanosleep, UNTIL_SLEEP, 2},
    {SYS_futex, FUTEX, 3},
    {SYS_read, SOCKET, 0},
    {SYS_readv, SOCKET, 0},
    {SYS_recvfrom, SOCKET, 0},
    {SYS_recvmsg, SOCKET, 0},
    {SYS_recvmmsg, SOCKET, 0},
    {SYS_accept, SOCKET, 0},
    {SYS_accept4, SOCKET, 0},
    {SYS_write, SOCKET, 0},
    {SYS_writev, SOCKET, 0},
    {SYS_sendto, SOCKET, 0},
    {SYS_sendmsg, SOCKET, 0},
    {SYS_sendmmsg, SOCKET, 0},
    {SYS_connect, ALWAYS, 0},
    {SYS_io_uring_enter, ALWAYS, 0},
    {SYS_restart_syscall, ALWAYS, 0},
};

static const struct wait *wait_of(long number)
{
	for (size_t i = 0; i < sizeof(waits) / sizeof(*waits); i++)
		if (waits[i].number == number)
			return &waits[i];
	return NULL;
}

/* ---------------------------------------------------------------------------------------------- look -- */

static bool socket_has_limit(uint64_t descriptor, uint64_t option)
{
	struct timeval limit = {0, 0};
	socklen_t size = sizeof(limit);
	long error =
	    system_call(SYS_getsockopt, descriptor, SOL_SOCKET, option, (uintptr_t)&limit, (uintptr_t)&size);
	return error == 0 && (limit.tv_sec || limit.tv_usec);
}

static bool futex_has_limit(const struct call *call)
{
	return (call->arguments[1] & FUTEX_CMD_MASK) == FUTEX_WAIT && call->arguments[3];
}

/* Whether it is a wait for so long, and the kernel does not say how much is left when a signal interrupts it. */
static bool has_limit(const struct call *call, const struct wait *wait)
{
	uint64_t argument = call->arguments[wait->argument];
	switch ((enum limit)wait->limit) {
	case MILLISECONDS:
		return (int32_t)argument >= 0;
	case TIME:
		return argument != 0;
	case UNTIL_SLEEP:
		return !(call->arguments[1] & TIMER_ABSTIME) && !call->arguments[3];
	case SLEEP:
		return !call->arguments[1];
	case FUTEX:
		return futex_has_limit(call);
	case SOCKET:
		return socket_has_limit(argument, SO_RCVTIMEO) || socket_has_limit(argument, SO_SNDTIMEO);
	case NONE:
		return false;
	default:
		return true;
	}
}

#define LINE 256

static char *append_text(char *end, const char *text)
{
	size_t length = strlen(text);
	memcpy(end, text, length + 1);
	return end + length;
}

static char *append_number(char *end, uint32_t number)
{
	char digits[12];
	char *first = digits + sizeof(digits) - 1;
	*first = 0;
	do
		*--first = (char)('0' + number % 10);
	while (number /= 10);
	return append_text(end, first);
}

/* What the kernel says of the thread: "running", or a call's number, its arguments, and two addresses. */
static bool read_line(uint32_t thread, char *line)
{
	char path[64];
	append_text(append_number(append_text(path, "/proc/self/task/"), thread), "/syscall");
	long file = system_call(SYS_open, (uintptr_t)path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return false;
	long length = system_call(SYS_read, (uintptr_t)file, (uintptr_t)line, LINE - 1);
	system_call(SYS_close, (uintptr_t)file);
	line[length > 0 ? length : 0] = 0;
	return length > 0;
}

static uint64_t digit_of(char character)
{
	return character <= '9' ? (uint64_t)(character - '0') : (uint64_t)(character - 'a' + 10);
}

/* The number at *place, which moves behind it: a blank, 0x, and its digits. */
static uint64_t take_hexadecimal(const char **place)
{
	uint64_t number = 0;
	for (const char *prefix = " 0x"; *prefix && **place == *prefix; prefix++)
		++*place;
	for (; (**place >= '0' && **place <= '9') || (**place >= 'a' && **place <= 'f'); ++*place)
		number = number * 16 + digit_of(**place);
	return number;
}

/* False: it waits in no call. *instruction: where it goes on. */
static bool look_at_thread(uint32_t thread, struct call *call, uint64_t *instruction)
{
	char line[LINE];
	if (!read_line(thread, line) || line[0] < '0' || line[0] > '9')
		return false;
	const char *place = line;
	for (call->number = 0; *place >= '0' && *place <= '9'; place++)
		call->number = call->number * 10 + (*place - '0');
	for (unsigned i = 0; i < 6; i++)
		call->arguments[i] = take_hexadecimal(&place);
	take_hexadecimal(&place); /* the stack pointer */
	*instruction = take_hexadecimal(&place);
	return true;
}

/* A call's number, and where it goes on, in one word. */
#define NUMBER_SHIFT 48

bool hosted_wait_is_patient(struct arch_processor *host)
{
	struct call call;
	uint64_t instruction;
	if (!look_at_thread(host->number, &call, &instruction))
		return true;
	const struct wait *wait = wait_of(call.number);
	if (!wait)
		return true;
	if (has_limit(&call, wait))
		return false;
	/* relaxed: the request that follows it releases it. */
	atomic_store_explicit(&host->seen, (uint64_t)call.number << NUMBER_SHIFT | instruction,
	                      memory_order_relaxed);
	return true;
}

/* -------------------------------------------------------------------------------------------- repeat -- */

#define PAGE  ((uint64_t)4096)
#define AHEAD 48 /* bytes, in which a call's number is loaded before the call */

static bool follows_call(uint64_t instruction)
{
	const uint8_t *code = (const uint8_t *)instruction;
	return instruction % PAGE >= AHEAD && code[-2] == 0x0f && code[-1] == 0x05;
}

/* The number that the code before a call loads, by "mov eax, NUMBER", or "xor eax, eax" for SYS_read. -1: none of
 * ours. */
static long loaded_number(const uint8_t *code)
{
	for (const uint8_t *place = code - 4; place >= code - AHEAD; place--) {
		int32_t number;
		memcpy(&number, place + 1, sizeof(number));
		if (place[0] == 0x31 && place[1] == 0xc0)
			return SYS_read;
		if (place[0] == 0xb8 && place <= code - 7 && wait_of(number))
			return number;
	}
	return -1;
}

static long call_number(const struct arch_processor *host, uint64_t instruction)
{
	uint64_t seen = atomic_load_explicit(&host->seen, memory_order_relaxed);
	if ((seen & ((UINT64_C(1) << NUMBER_SHIFT) - 1)) == instruction)
		return (long)(seen >> NUMBER_SHIFT);
	return loaded_number((const uint8_t *)instruction);
}

/* The kernel has stored how much is left: sleep for that. */
static void sleep_for_rest(const struct wait *wait, greg_t *registers)
{
	if (wait->limit == SLEEP && registers[REG_RSI])
		registers[REG_RDI] = registers[REG_RSI];
	if (wait->limit == UNTIL_SLEEP && !(registers[REG_RSI] & TIMER_ABSTIME) && registers[REG_R10])
		registers[REG_RDX] = registers[REG_R10];
}

void hosted_wait_repeat(struct arch_processor *host, greg_t *registers)
{
	uint64_t instruction = (uint64_t)registers[REG_RIP];
	if (registers[REG_RAX] != -EINTR || !arch_is_user_code(instruction) || !follows_call(instruction))
		return;
	long number = call_number(host, instruction);
	const struct wait *wait = wait_of(number);
	if (!wait || wait->limit == ALWAYS)
		return;
	sleep_for_rest(wait, registers);
	registers[REG_RAX] = number;
	registers[REG_RIP] -= 2;
}

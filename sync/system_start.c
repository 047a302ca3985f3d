#include "sync/system_start.h"

#include "kernel/start.h"
#include "sched/scheduler.h"
#include "sync/start.h"

void system_start(struct boot_information *boot)
{
	kernel_start(boot);
	scheduler_start();
	sync_start();
}

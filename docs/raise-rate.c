/*
 * Samples a program built with -pg at the rate of the kernel's clock (250 to 1000 times a
 * second, instead of 100), without building it again. Linux, glibc, not for -static.
 *
 *     gcc -shared -fPIC -o raise-rate.so raise-rate.c
 *     LD_PRELOAD=$PWD/raise-rate.so ./PROGRAM
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int rate;

/* Start-up code calls this, which starts the clock: set the clock to the kernel's tick. */
void __monstartup(unsigned long low, unsigned long high)
{
	void (*start)(unsigned long, unsigned long) = dlsym(RTLD_NEXT, "__monstartup");
	struct timespec tick;

	start(low, high);
	clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
	struct timeval interval = {0, tick.tv_nsec / 1000};
	struct itimerval timer = {interval, interval};
	rate = 1000000 / interval.tv_usec;
	setitimer(ITIMER_PROF, &timer, NULL);
}

/* Writes gmon.out: correct the rate in its header. */
void _mcleanup(void)
{
	void (*end)(void) = dlsym(RTLD_NEXT, "_mcleanup");
	char *prefix = getenv("GMON_OUT_PREFIX"), name[4096] = "gmon.out";

	end();
	if (prefix)
		snprintf(name, sizeof name, "%s.%u", prefix, getpid());
	int file = open(name, O_WRONLY);
	pwrite(file, &rate, sizeof rate, 25 + 2 * sizeof(void *));
	close(file);
}

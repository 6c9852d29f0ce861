/*
 * Records the address of each sample of -pg, before the C library counts it in a bin, and
 * writes all to truth.bin. Linked into a program, compiled without -pg.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <ucontext.h>

static unsigned long addresses[1 << 16], n_addresses;
static struct sigaction counter;

static void record(int number, siginfo_t *info, void *context)
{
	unsigned long pc = ((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];

	if (n_addresses < sizeof addresses / sizeof *addresses)
		addresses[n_addresses++] = pc;
	counter.sa_sigaction(number, info, context);
}

static void stop(void)
{
	struct itimerval never = {0};
	FILE *file = fopen("truth.bin", "w");

	setitimer(ITIMER_PROF, &never, NULL);
	fwrite(addresses, sizeof *addresses, n_addresses, file);
	fclose(file);
}

/* Runs after the start-up code of -pg. The rate is that of the kernel, which may be lower. */
__attribute__((constructor)) static void start(void)
{
	struct itimerval often = {{0, 1000}, {0, 1000}};
	struct sigaction action = {.sa_sigaction = record, .sa_flags = SA_SIGINFO | SA_RESTART};

	sigaction(SIGPROF, &action, &counter);
	setitimer(ITIMER_PROF, &often, NULL);
	atexit(stop);
}

/* SPDX-License-Identifier: GPL-2.0-only */
/* Measuring: everything of a bench that touches the machine. */
#ifndef IRQPACE_BENCH_RUN_H
#define IRQPACE_BENCH_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bench.h"
#include "lines.h"
#include "nl.h"
#include "policy.h"
#include "selector.h"

/* A block device and the lines that its completions come by. */
struct bench_device {
	char *label;		/* how results call it */
	char *path;
	char *name;		/* the kernel's: sda, nvme0n1p2 */
	char *disk;		/* the whole disk it is or lies on */
	char *by;		/* the selector that was given for its lines, or NULL */
	struct selector selector;
	uint32_t *irqs;
	size_t n_irqs;		/* 0: it has no line of its own (loop, ram, dm) */
	char *lines;
	int hold_fd;		/* kept open exclusively while it is written to */
};

/* SPEC is [LABEL=]PATH[@SELECTOR]. */
int bench_device_open(struct bench_device *dev, const char *spec,
		      struct errmsg *err);
/* Refuses a device that anybody uses, and keeps others off until close. */
int bench_device_claim(struct bench_device *dev, struct errmsg *err);
int bench_device_find_lines(struct bench_device *dev,
			    const struct lines *lines, struct errmsg *err);
void bench_device_close(struct bench_device *dev);
/*
 * Whether NAME (sda, nvme0n1p2) or one of its parts is mounted, swapped on or
 * held by md, dm or the like, by the files below SYSROOT. 0: no, -1: yes and why.
 */
int bench_disk_unused(const char *sysroot, const char *name,
		      struct errmsg *err);

/* A child with its output kept. */
struct bench_child {
	pid_t pid;
	int out_fd;
	int err_fd;
	int extra_fd;		/* a file the child may write by /dev/fd/N */
	int status;		/* as waitpid() gives it */
};

/* The files first, so that argv can name extra_fd. */
int bench_child_open(struct bench_child *child, struct errmsg *err);
int bench_child_start(struct bench_child *child, char *const argv[],
		      struct errmsg *err);
int bench_child_wait(struct bench_child *child, struct errmsg *err);
void bench_child_stop(struct bench_child *child);
void bench_child_close(struct bench_child *child);
/* All of FD's file as text, malloced; NULL where out of memory. */
char *bench_child_text(int fd);
bool bench_child_ok(const struct bench_child *child);

/*
 * From now on SIGINT, SIGTERM and SIGHUP end the running child and make
 * bench_interrupted() true, instead of ending us before things are put back.
 */
void bench_catch_signals(void);
int bench_interrupted(void);

/* One policy of the comparison. */
struct bench_choice {
	struct policy policy;
	int stats;		/* 1, 0: fixed for this one; -1: as for all */
};

/* SPEC is a policy spec, optionally with ":stats=on" or ":stats=off". */
int bench_choice_parse(const char *spec, struct bench_choice *choice,
		       struct errmsg *err);
json_t *bench_choice_params(const struct bench_choice *choice);

/* What was set before, to be put back. */
struct bench_rig {
	struct nl *nl;		/* NULL: no module, only native can run */
	struct nl_rules rules;
	bool stats;
	bool dirty;
};

int bench_rig_open(struct bench_rig *rig, struct errmsg *err);
int bench_rig_apply(struct bench_rig *rig, const struct bench_device *dev,
		    const struct bench_choice *choice, bool stats,
		    struct errmsg *err);
int bench_rig_restore(struct bench_rig *rig, const struct bench_device *devs,
		      size_t n, struct errmsg *err);
void bench_rig_close(struct bench_rig *rig);

/* Counts of a device's lines at one moment. */
struct bench_counts {
	double interrupts;
	bool attached;
	double counter[IRQPACE_CNT_MAX + 1];
};

int bench_counts_read(struct bench_rig *rig, const struct bench_device *dev,
		      struct bench_counts *counts, struct errmsg *err);
/* BEFORE and AFTER one run; the histograms are read now. */
int bench_counts_diff(struct bench_rig *rig, const struct bench_device *dev,
		      const struct bench_counts *before,
		      const struct bench_counts *after, bool stats,
		      struct bench_irq *irq, struct errmsg *err);
/* The CPU that took most of the device's interrupts so far, -1: not known. */
int bench_busiest_cpu(const struct bench_device *dev);

struct bench_plan {
	struct bench_device *devs;
	size_t n_devs;
	struct bench_choice *choices;
	size_t n_choices;
	const char **workloads;
	size_t n_workloads;
	unsigned int *jobs;
	size_t n_jobs;
	unsigned int iodepth;
	const char *bs;
	const char *engine;
	bool hipri;
	uint64_t ios;		/* 0: runtime_s instead */
	unsigned int runtime_s;
	unsigned int repeat;
	bool victim;
	bool stats;
	bool quiet;
	const char *mode;	/* as in struct bench_set */
	const char *native_as;	/* what unattached rows are called */
	const char *pass;
	const char *marker;	/* run right before and after each fio */
};

/* Measures all of PLAN into SET; whatever was set is put back either way. */
int bench_run(const struct bench_plan *plan, struct bench_set *set,
	      struct errmsg *err);

/* One fio run, and cyclictest beside it where CPU is not -1. */
int bench_fio_run(const struct bench_plan *plan, const struct bench_device *dev,
		  const char *workload, unsigned int jobs, uint64_t ios,
		  int victim_cpu, struct bench_sample *sample,
		  struct errmsg *err);

#endif /* IRQPACE_BENCH_RUN_H */

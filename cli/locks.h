/* SPDX-License-Identifier: GPL-2.0-only */
/* What `irqpace locks` has measured, for those who print it. */
#ifndef IRQPACE_CLI_LOCKS_H
#define IRQPACE_CLI_LOCKS_H

#include "../lib/ksyms.h"
#include "../lib/locks.h"

struct locks_report {
	struct locks_targets targets;
	struct locks_result result;	/* in the order of the targets */
	struct ksym *place;		/* LOCKS_ROOM for each lock */
	unsigned int run;		/* of the CSV's column */
};

/* A lock's name, or its address. Malloced. */
char *locks_name(const struct locks_target *target);
/* What took it: "ata_scsi_queuecmd+0x3c [libata]". Malloced. */
char *locks_place_name(const struct locks_report *report, size_t lock, size_t place);
/* A lock's places, most acquisitions first, into ORDER; how many there are. */
size_t locks_places(const struct locks_lock *lock, size_t order[LOCKS_ROOM]);

/* -1 where it could not be written. */
int locks_print_table(const struct locks_report *report);
int locks_print_json(const struct locks_report *report);
int locks_print_csv(const struct locks_report *report);

#endif

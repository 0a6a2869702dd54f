/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of lines may hold any bytes; what reads our output wants UTF-8. */
#ifndef IRQPACE_UTF8_H
#define IRQPACE_UTF8_H

/*
 * Length of the well-formed UTF-8 sequence at P, 0 where there is none: no
 * overlong form, no surrogate, nothing above U+10FFFF.
 */
int utf8_length(const unsigned char *p);

#endif

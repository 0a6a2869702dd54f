/* SPDX-License-Identifier: GPL-2.0-only */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM irqpace

#if !defined(IRQPACE_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define IRQPACE_TRACE_H

#include <linux/tracepoint.h>

TRACE_EVENT(irqpace_park,
	TP_PROTO(unsigned int irq, u32 parked, bool masked),
	TP_ARGS(irq, parked, masked),
	TP_STRUCT__entry(
		__field(unsigned int, irq)
		__field(u32, parked)
		__field(bool, masked)
	),
	TP_fast_assign(
		__entry->irq = irq;
		__entry->parked = parked;
		__entry->masked = masked;
	),
	TP_printk("irq=%u parked=%u masked=%d", __entry->irq, __entry->parked, __entry->masked)
);

/* cause: 1 timer, 2 thread or worker. The duration is taken because this is on. */
TRACE_EVENT(irqpace_round,
	TP_PROTO(unsigned int irq, int cause, bool handled, u32 parked, u64 duration_ns),
	TP_ARGS(irq, cause, handled, parked, duration_ns),
	TP_STRUCT__entry(
		__field(unsigned int, irq)
		__field(int, cause)
		__field(bool, handled)
		__field(u32, parked)
		__field(u64, duration_ns)
	),
	TP_fast_assign(
		__entry->irq = irq;
		__entry->cause = cause;
		__entry->handled = handled;
		__entry->parked = parked;
		__entry->duration_ns = duration_ns;
	),
	TP_printk("irq=%u by=%s handled=%d parked=%u duration_ns=%llu", __entry->irq,
		  __print_symbolic(__entry->cause, { 1, "timer" }, { 2, "thread" }),
		  __entry->handled, __entry->parked, __entry->duration_ns)
);

TRACE_EVENT(irqpace_state,
	TP_PROTO(unsigned int irq, int from, int to),
	TP_ARGS(irq, from, to),
	TP_STRUCT__entry(
		__field(unsigned int, irq)
		__field(int, from)
		__field(int, to)
	),
	TP_fast_assign(
		__entry->irq = irq;
		__entry->from = from;
		__entry->to = to;
	),
	TP_printk("irq=%u %s -> %s", __entry->irq,
		  __print_symbolic(__entry->from, { 0, "active" }, { 1, "paused" }),
		  __print_symbolic(__entry->to, { 0, "active" }, { 1, "paused" }))
);

#endif /* IRQPACE_TRACE_H */

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>

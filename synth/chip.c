// SPDX-License-Identifier: GPL-2.0-only
/*
 * The interrupt controller. Its operations are called by the core (and by
 * irqpace) under desc->lock with interrupts off; each is logged, may be held
 * and may cost a set time.
 */
#include "compat/compat.h"
#include "synth.h"

const char *const synth_kind_names[SYNTH_KINDS] = {
	[SYNTH_EDGE_LATCH]	= "edge-latch",
	[SYNTH_EDGE]		= "edge",
	[SYNTH_LEVEL]		= "level",
	[SYNTH_FASTEOI]		= "fasteoi",
};

const char *const synth_point_names[SYNTH_LOG_KINDS] = {
	[SYNTH_MASK]		= "mask",
	[SYNTH_UNMASK]		= "unmask",
	[SYNTH_ACK]		= "ack",
	[SYNTH_EOI]		= "eoi",
	[SYNTH_RETRIGGER]	= "retrigger",
	[SYNTH_SHUTDOWN]	= "shutdown",
	[SYNTH_ENTRY]		= "entry",
	[SYNTH_HANDLER]		= "handler",
	[SYNTH_RAISE]		= "raise",
	[SYNTH_LATCH]		= "latch",
	[SYNTH_FORGET]		= "forget",
	[SYNTH_LEAVE]		= "leave",
	[SYNTH_DONE]		= "done",
};

/* With line->lock held. */
void synth_log(struct synth_line *line, unsigned int what, u64 value)
{
	struct synth_log_entry *e = &line->log[line->log_head++ & (SYNTH_LOG_SIZE - 1)];

	e->now_ns = synth_now_ns();
	e->value = value;
	e->cpu = raw_smp_processor_id();
	e->what = what;
	e->flags = (line->masked ? 1 : 0) | (in_hardirq() ? 2 : 0);
}

/*
 * The line of an operation, charged and held. A descriptor may outlive its
 * line (irqpace keeps a reference): an operation on it is counted, since it
 * should have been asked for by nobody.
 */
static struct synth_line *synth_op(struct irq_data *d, enum synth_point point)
{
	struct synth_line *line = irq_data_get_irq_chip_data(d);

	if (!line) {
		atomic_inc(&synth_stray_ops);
		return NULL;
	}
	synth_spin_ns(line->charge_ns[point]);
	synth_hold_here(line, point);
	raw_spin_lock(&line->lock);
	line->ops[point]++;
	return line;
}

static void synth_chip_mask(struct irq_data *d)
{
	struct synth_line *line = synth_op(d, SYNTH_MASK);

	if (!line)
		return;
	line->masked = true;
	synth_log(line, SYNTH_MASK, 0);
	raw_spin_unlock(&line->lock);
}

static void synth_chip_unmask(struct irq_data *d)
{
	struct synth_line *line = synth_op(d, SYNTH_UNMASK);
	bool send;

	if (!line)
		return;
	line->masked = false;
	if (line->down)
		line->n.unmask_when_down++;
	send = line->latched || (line->asserted && !line->in_service);
	line->latched = false;
	synth_log(line, SYNTH_UNMASK, send);
	raw_spin_unlock(&line->lock);
	if (send)
		synth_kick(line, READ_ONCE(line->cpu), SYNTH_DO_MESSAGE);
}

/*
 * startup is a start, not an unmask: it ends "down", so that an unmask of a
 * line that is shut down can be told from the start of its next owner.
 */
static unsigned int synth_chip_startup(struct irq_data *d)
{
	struct synth_line *line = irq_data_get_irq_chip_data(d);

	if (!line) {
		atomic_inc(&synth_stray_ops);
		return 0;
	}
	raw_spin_lock(&line->lock);
	line->down = false;
	raw_spin_unlock(&line->lock);
	synth_chip_unmask(d);
	return 0;
}

static void synth_chip_shutdown(struct irq_data *d)
{
	struct synth_line *line = synth_op(d, SYNTH_SHUTDOWN);

	if (!line)
		return;
	line->masked = true;
	line->latched = false;
	WRITE_ONCE(line->down, true);
	synth_log(line, SYNTH_SHUTDOWN, 0);
	raw_spin_unlock(&line->lock);
}

static void synth_chip_ack(struct irq_data *d)
{
	struct synth_line *line = synth_op(d, SYNTH_ACK);

	if (!line)
		return;
	synth_log(line, SYNTH_ACK, 0);
	raw_spin_unlock(&line->lock);
}

static void synth_chip_eoi(struct irq_data *d)
{
	struct synth_line *line = synth_op(d, SYNTH_EOI);
	bool send;

	if (!line)
		return;
	line->in_service = false;
	send = line->asserted && !line->masked;
	synth_log(line, SYNTH_EOI, send);
	raw_spin_unlock(&line->lock);
	if (send)
		synth_kick(line, READ_ONCE(line->cpu), SYNTH_DO_MESSAGE);
}

/* A retrigger goes to the CPU, not through the pin: the mask does not stop it. */
static int synth_chip_retrigger(struct irq_data *d)
{
	struct synth_line *line = synth_op(d, SYNTH_RETRIGGER);

	if (!line)
		return 0;
	synth_log(line, SYNTH_RETRIGGER, 0);
	raw_spin_unlock(&line->lock);
	synth_kick(line, READ_ONCE(line->cpu), SYNTH_DO_MESSAGE);
	return 1;
}

/* Like most gpio and pin controllers: writes the flow handler, whoever owns it now. */
static int synth_chip_set_type(struct irq_data *d, unsigned int type)
{
	struct synth_line *line = irq_data_get_irq_chip_data(d);
	unsigned int own;

	if (!line)
		return -ENODEV;
	own = synth_is_level(line) ? IRQ_TYPE_LEVEL_HIGH : IRQ_TYPE_EDGE_RISING;
	if (type != own)
		return -EINVAL;
	irq_set_handler_locked(d, line->flow);
	return IRQ_SET_MASK_OK;
}

static int synth_chip_set_affinity(struct irq_data *d, const struct cpumask *mask, bool force)
{
	struct synth_line *line = irq_data_get_irq_chip_data(d);
	unsigned int cpu = cpumask_first_and(mask, cpu_online_mask);

	if (!line || cpu >= nr_cpu_ids)
		return -EINVAL;
	WRITE_ONCE(line->cpu, cpu);
	irq_data_update_effective_affinity(d, cpumask_of(cpu));
	return IRQ_SET_MASK_OK;
}

static int synth_chip_set_wake(struct irq_data *d, unsigned int on)
{
	return 0;
}

#define SYNTH_CHIP_COMMON				\
	.irq_startup		= synth_chip_startup,	\
	.irq_shutdown		= synth_chip_shutdown,	\
	.irq_mask		= synth_chip_mask,	\
	.irq_unmask		= synth_chip_unmask,	\
	.irq_set_type		= synth_chip_set_type,	\
	.irq_set_affinity	= synth_chip_set_affinity, \
	.irq_set_wake		= synth_chip_set_wake,	\
	.irq_retrigger		= synth_chip_retrigger

static struct irq_chip synth_chips[SYNTH_KINDS] = {
	[SYNTH_EDGE_LATCH] = {
		.name		= "irqpace-synth-latch",
		.irq_ack	= synth_chip_ack,
		SYNTH_CHIP_COMMON,
	},
	[SYNTH_EDGE] = {
		.name		= "irqpace-synth-edge",
		.irq_ack	= synth_chip_ack,
		SYNTH_CHIP_COMMON,
	},
	[SYNTH_LEVEL] = {
		.name		= "irqpace-synth-level",
		.irq_ack	= synth_chip_ack,
		SYNTH_CHIP_COMMON,
	},
	[SYNTH_FASTEOI] = {
		.name		= "irqpace-synth-fasteoi",
		.irq_eoi	= synth_chip_eoi,
		SYNTH_CHIP_COMMON,
	},
};

int synth_chip_attach(struct synth_line *line)
{
	static const irq_flow_handler_t flows[SYNTH_KINDS] = {
		[SYNTH_EDGE_LATCH]	= handle_edge_irq,
		[SYNTH_EDGE]		= handle_edge_irq,
		[SYNTH_LEVEL]		= handle_level_irq,
		[SYNTH_FASTEOI]		= handle_fasteoi_irq,
	};

	line->flow = flows[line->kind];
	line->masked = true;
	line->down = true;
	irq_set_chip_data(line->irq, line);
	irq_set_chip_and_handler_name(line->irq, &synth_chips[line->kind], line->flow,
				      synth_is_level(line) ? "level" : "edge");
	irq_modify_status(line->irq, IRQ_NOREQUEST, IRQ_NOPROBE);
	synth_irq_move_at_once(line->irq);
	return irq_set_irq_type(line->irq, synth_is_level(line) ? IRQ_TYPE_LEVEL_HIGH :
								   IRQ_TYPE_EDGE_RISING);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rules, and what makes the lines agree with them. Everything that changes a
 * line, SET, RESET, a device that came or went, suspend, ends in reconcile().
 */
#include <linux/slab.h>
#include <net/genetlink.h>

#include "irqpace.h"

/* genirq tells nobody of a line that is requested or freed. */
#define SCAN_PERIOD HZ

LIST_HEAD(irqp_rules);
static bool held;	/* suspending or shutting down: every line is native */

static void scan_fn(struct work_struct *work);
static DECLARE_DELAYED_WORK(scan_work, scan_fn);

/* The last rule that matches decides. */
static struct irqp_rule *rule_for(struct irq_desc *desc, struct irqp_ident *id)
{
	struct irqp_rule *rule;

	if (list_empty(&irqp_rules) || !irqp_identify(desc, id))
		return NULL;
	list_for_each_entry_reverse(rule, &irqp_rules, node)
		if (irqp_matches(desc, id, &rule->sel))
			return rule->set.native ? NULL : rule;
	return NULL;
}

static bool same_settings(const struct irqp_settings *a, const struct irqp_settings *b)
{
	return a->pace.policy == b->pace.policy && a->pace.poll == b->pace.poll &&
	       a->pace.delay_ns == b->pace.delay_ns && a->pace.limit_ns == b->pace.limit_ns &&
	       a->pace.window_ns == b->pace.window_ns && a->pace.rounds == b->pace.rounds &&
	       a->pace.spurious_rounds == b->pace.spurious_rounds &&
	       a->pace.spurious_native == b->pace.spurious_native &&
	       a->mask_after == b->mask_after && a->flushed == b->flushed &&
	       a->shared == b->shared;
}

/* Lines that went away, were unhooked, or have no rule any more. */
static void drop_lines(const struct irqp_selector *among)
{
	struct irqp_line *line, *next;
	struct irqp_ident id;
	LIST_HEAD(victims);

	list_for_each_entry_safe(line, next, &irqp_lines, node) {
		bool foreign = READ_ONCE(line->desc->handle_irq) != irqp_flow;
		bool gone = irqp_desc_is_gone(line);

		if (line->irq < irqp_first_of(among) || line->irq > irqp_last_of(among))
			continue;
		raw_spin_lock_irq(&line->desc->lock);
		irqp_fold_arrivals(line);
		line->told &= BIT(IRQPACE_EVENT_INELIGIBLE);
		if (foreign && !gone && line->hooked)
			irqp_event_later(line, IRQPACE_EVENT_FOREIGN);
		raw_spin_unlock_irq(&line->desc->lock);
		irqp_stats_prepare(line);

		if (gone)
			irqp_event(IRQPACE_EVENT_GONE, line->irq, "",
				   "irq %u is gone; its rule waits for the device", line->irq);
		id.busy = false;
		if (gone || foreign || held || (!rule_for(line->desc, &id) && !id.busy))
			list_move_tail(&line->node, &victims);
	}
	irqp_detach(&victims);
}

/* Makes one line follow its rule; takes over the caller's reference on desc. */
static int follow(struct irq_desc *desc, struct irqp_rule *rule, const struct irqp_ident *id,
		  const struct irqp_rule *fresh, struct netlink_ext_ack *extack)
{
	struct irqp_line *line = irqp_line_find(desc);
	int err;

	if (line && same_settings(&line->set, &rule->set)) {
		irqp_desc_unpin(desc);
		return 0;
	}
	if (line) {
		err = irqp_change(line, &rule->set, extack);
		irqp_desc_unpin(desc);
	} else {
		err = irqp_attach(desc, &rule->set, extack);
	}
	if (!err)
		irqp_event(fresh ? IRQPACE_EVENT_CHANGED : IRQPACE_EVENT_ATTACHED, id->irq,
			   id->name, "irq %u (%s) follows rule '%s'", id->irq, id->name,
			   rule->sel.text);
	else if (!rule->refused)
		irqp_event(IRQPACE_EVENT_REFUSED, id->irq, id->name,
			   "irq %u (%s) matches rule '%s' but cannot be attached", id->irq,
			   id->name, rule->sel.text);
	rule->refused = err;
	return err;
}

/*
 * Only lines among those of a selector are looked at, so that a change of one
 * line costs the same whatever else is attached; the scan looks at all. fresh is
 * the rule that SET brings: the first line that cannot follow it is an error.
 * Other rules' lines may fail without harm; the scan tries them again.
 */
static int reconcile(const struct irqp_selector *among, const struct irqp_rule *fresh,
		     struct netlink_ext_ack *extack)
{
	struct irqp_rule *rule;
	struct irqp_ident id;
	struct irq_desc *desc;
	unsigned int irq;
	int err;

	lockdep_assert_held(&irqp_mutex);
	drop_lines(among);
	if (held || list_empty(&irqp_rules))
		return 0;
	irqp_for_each_desc(desc, irq, among) {
		rule = rule_for(desc, &id);
		if (!rule) {
			irqp_desc_unpin(desc);
			continue;
		}
		err = follow(desc, rule, &id, fresh, rule == fresh ? extack : NULL);
		if (err && rule == fresh)
			return err;
	}
	return 0;
}

static bool same_selector(const struct irqp_selector *a, const struct irqp_selector *b)
{
	if (a->kind != b->kind)
		return false;
	/* The name that goes with a number is the module's, not the user's. */
	if (a->kind == IRQP_SEL_IRQ)
		return a->irq == b->irq;
	return a->has_vector == b->has_vector && a->vector == b->vector &&
	       !strcmp(a->value, b->value);
}

static struct irqp_rule *rule_find(const struct irqp_selector *sel)
{
	struct irqp_rule *rule;

	list_for_each_entry(rule, &irqp_rules, node)
		if (same_selector(&rule->sel, sel))
			return rule;
	return NULL;
}

/*
 * How many lines match; with set, whether each of them may have it. A rule for
 * a number holds for as long as the line keeps the name that it has now.
 */
static int check(struct irqp_selector *sel, const struct irqp_settings *set,
		 struct netlink_ext_ack *extack)
{
	struct irqp_line *line;
	struct irqp_ident id;
	struct irq_desc *desc;
	const char *why = NULL;
	unsigned int irq;
	int found = 0;

	irqp_for_each_desc(desc, irq, sel) {
		if (irqp_identify(desc, &id) && irqp_matches(desc, &id, sel)) {
			found++;
			if (sel->kind == IRQP_SEL_IRQ)
				strscpy(sel->value, id.name, sizeof(sel->value));
			line = irqp_line_find(desc);
			raw_spin_lock_irq(&desc->lock);
			if (set && desc->action)
				why = irqp_why_not(desc, line ? line->native : desc->handle_irq,
						   set);
			raw_spin_unlock_irq(&desc->lock);
			if (why)
				irqp_refuse_line(extack, desc, why);
		}
		irqp_desc_unpin(desc);
		if (why)
			return -EOPNOTSUPP;
	}
	if (!found)
		irqp_refuse(extack, "no interrupt line matches '%s'", sel->text);
	return found ?: -ENOENT;
}

static int busy(struct netlink_ext_ack *extack)
{
	if (!held)
		return 0;
	irqp_refuse(extack, "the machine is suspending or shutting down; try again afterwards");
	return -EBUSY;
}

/* All or nothing. On success the number of lines that match. */
int irqp_rule_set(struct irqp_selector *sel, const struct irqp_settings *set,
		  struct netlink_ext_ack *extack)
{
	struct irqp_rule *fresh, *old;
	struct list_head *place = NULL;
	int err, found;

	fresh = kzalloc(sizeof(*fresh), GFP_KERNEL);
	if (!fresh)
		return -ENOMEM;
	mutex_lock(&irqp_mutex);
	err = busy(extack);
	if (err)
		goto fail;
	found = check(sel, set, extack);
	if (found < 0) {
		err = found;
		goto fail;
	}
	fresh->sel = *sel;
	fresh->set = *set;
	old = rule_find(sel);
	if (old) {
		place = old->node.prev;
		list_del(&old->node);
	}
	list_add_tail(&fresh->node, &irqp_rules);
	err = reconcile(sel, fresh, extack);
	if (err) {
		list_del(&fresh->node);
		if (old)
			list_add(&old->node, place);
		reconcile(sel, NULL, NULL);
		goto fail;
	}
	mutex_unlock(&irqp_mutex);
	kfree(old);
	return found;

fail:
	mutex_unlock(&irqp_mutex);
	kfree(fresh);
	return err;
}

/* Does a rule still want one of the lines that match? */
static bool still_ruled(const struct irqp_selector *sel)
{
	struct irqp_ident id;
	struct irq_desc *desc;
	bool ruled = false;
	unsigned int irq;

	irqp_for_each_desc(desc, irq, sel) {
		ruled = rule_for(desc, &id) && irqp_matches(desc, &id, sel);
		irqp_desc_unpin(desc);
		if (ruled)
			break;
	}
	return ruled;
}

/*
 * Makes the lines native that match. Where another, wider rule would take them
 * back, a rule of their own keeps them native.
 */
int irqp_rule_reset(struct irqp_selector *sel, struct netlink_ext_ack *extack)
{
	struct irqp_rule *keep, *old;
	int err, found;

	keep = kzalloc(sizeof(*keep), GFP_KERNEL);
	if (!keep)
		return -ENOMEM;
	mutex_lock(&irqp_mutex);
	found = check(sel, NULL, NULL);
	old = rule_find(sel);
	if (found < 0 && !old) {
		irqp_refuse(extack, "no interrupt line and no rule matches '%s'", sel->text);
		err = -ENOENT;
		goto out;
	}
	for (; old; old = rule_find(sel)) {
		list_del(&old->node);
		kfree(old);
	}
	if (still_ruled(sel)) {
		keep->sel = *sel;
		keep->set.native = true;
		list_add_tail(&keep->node, &irqp_rules);
		keep = NULL;
	}
	reconcile(sel, NULL, NULL);
	err = 0;
out:
	mutex_unlock(&irqp_mutex);
	kfree(keep);
	return err;
}

void irqp_rules_drop(void)
{
	struct irqp_rule *rule, *next;

	mutex_lock(&irqp_mutex);
	list_for_each_entry_safe(rule, next, &irqp_rules, node) {
		list_del(&rule->node);
		kfree(rule);
	}
	reconcile(NULL, NULL, NULL);
	mutex_unlock(&irqp_mutex);
}

/* Every line native, the rules kept, until irqp_release(). */
void irqp_hold(void)
{
	mutex_lock(&irqp_mutex);
	held = true;
	reconcile(NULL, NULL, NULL);
	mutex_unlock(&irqp_mutex);
}

void irqp_release(void)
{
	mutex_lock(&irqp_mutex);
	held = false;
	mutex_unlock(&irqp_mutex);
	irqp_scan_soon();
}

static void scan_fn(struct work_struct *work)
{
	mutex_lock(&irqp_mutex);
	reconcile(NULL, NULL, NULL);
	mutex_unlock(&irqp_mutex);
	queue_delayed_work(irqp_wq, &scan_work, SCAN_PERIOD);
}

/* From any context. */
void irqp_scan_soon(void)
{
	mod_delayed_work(irqp_wq, &scan_work, 1);
}

void irqp_scan_start(void)
{
	queue_delayed_work(irqp_wq, &scan_work, SCAN_PERIOD);
}

void irqp_scan_stop(void)
{
	cancel_delayed_work_sync(&scan_work);
}

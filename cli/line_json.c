// SPDX-License-Identifier: GPL-2.0-only
#include "line_json.h"

const char *line_policy(const struct lines *lines, const struct line *line)
{
	if (line->module && line->module->attached &&
	    line->module->has_settings)
		return policy_name(line->module->settings.kind);
	/* The module was there, and nobody could ask it. */
	if (lines->module_loaded && !lines->merged)
		return NULL;
	return "native";
}

static void handlers_json(struct json *json, const struct nl_line *m)
{
	bool known = false;

	for (size_t i = 0; m && i < m->n_actions; i++)
		known |= m->action[i].handler != NULL;
	if (!known) {
		jw_null(json, "handlers");
		return;
	}
	jw_array(json, "handlers");
	for (size_t i = 0; i < m->n_actions; i++)
		jw_string(json, NULL, m->action[i].handler);
	jw_end_array(json);
}

static void counts_json(struct json *json, const struct lines *lines,
			const struct line *line)
{
	jw_array(json, "counts");
	for (size_t i = 0; i < lines->n_cpus; i++) {
		if (line->counts[i] == LINE_NO_COUNT)
			continue;
		jw_object(json, NULL);
		jw_u64(json, "cpu", lines->cpus[i]);
		jw_u64(json, "count", line->counts[i]);
		jw_end_object(json);
	}
	jw_end_array(json);
}

static void attached_json(struct json *json, const struct nl_line *m)
{
	if (m->has_settings)
		policy_json(json, "settings", &m->settings);
	jw_string(json, "state", m->has_state ? nl_state_name(m->state) : NULL);
	jw_string(json, "masking",
		    m->has_masking ? nl_masking_name(m->masking) : NULL);
	if (m->has_counters) {
		jw_object(json, "counters");
		for (uint32_t i = IRQPACE_CNT_ARRIVALS; i <= IRQPACE_CNT_MAX; i++)
			jw_u64(json, nl_counter_name(i), m->counter[i]);
		jw_end_object(json);
	}
	jw_u64(json, "memory_bytes", m->memory_bytes);
	jw_u64(json, "unrecorded", m->unrecorded);
}

void line_json(struct json *json, const struct lines *lines,
	       const struct line *line)
{
	const struct nl_line *m = line->module;

	jw_u64(json, "irq", line->irq);
	jw_string(json, "name", line->name);
	handlers_json(json, m);
	jw_string(json, "device", line_device(line));
	jw_string(json, "driver", line_driver(line));
	if (line_vector(line) < 0)
		jw_null(json, "vector");
	else
		jw_i64(json, "vector", line_vector(line));
	jw_string(json, "chip", line->chip);
	jw_string(json, "type", line->type);
	jw_string(json, "affinity", line->affinity);
	jw_string(json, "effective_affinity", line->effective_affinity);
	jw_string(json, "policy", line_policy(lines, line));
	if (line->attachable == LINE_UNKNOWN)
		jw_null(json, "attachable");
	else
		jw_bool(json, "attachable", line->attachable == LINE_YES);
	jw_string(json, "reason", line->reason);
	counts_json(json, lines, line);
	if (m && m->attached)
		attached_json(json, m);
}

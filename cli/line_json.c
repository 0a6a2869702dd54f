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
		json_null(json, "handlers");
		return;
	}
	json_array(json, "handlers");
	for (size_t i = 0; i < m->n_actions; i++)
		json_string(json, NULL, m->action[i].handler);
	json_end_array(json);
}

static void counts_json(struct json *json, const struct lines *lines,
			const struct line *line)
{
	json_array(json, "counts");
	for (size_t i = 0; i < lines->n_cpus; i++) {
		if (line->counts[i] == LINE_NO_COUNT)
			continue;
		json_object(json, NULL);
		json_u64(json, "cpu", lines->cpus[i]);
		json_u64(json, "count", line->counts[i]);
		json_end_object(json);
	}
	json_end_array(json);
}

static void attached_json(struct json *json, const struct nl_line *m)
{
	if (m->has_settings)
		policy_json(json, "settings", &m->settings);
	json_string(json, "state", m->has_state ? nl_state_name(m->state) : NULL);
	json_string(json, "masking",
		    m->has_masking ? nl_masking_name(m->masking) : NULL);
	if (m->has_counters) {
		json_object(json, "counters");
		for (uint32_t i = IRQPACE_CNT_ARRIVALS; i <= IRQPACE_CNT_MAX; i++)
			json_u64(json, nl_counter_name(i), m->counter[i]);
		json_end_object(json);
	}
	json_u64(json, "memory_bytes", m->memory_bytes);
	json_u64(json, "unrecorded", m->unrecorded);
}

void line_json(struct json *json, const struct lines *lines,
	       const struct line *line)
{
	const struct nl_line *m = line->module;

	json_u64(json, "irq", line->irq);
	json_string(json, "name", line->name);
	handlers_json(json, m);
	json_string(json, "device", line_device(line));
	json_string(json, "driver", line_driver(line));
	if (line_vector(line) < 0)
		json_null(json, "vector");
	else
		json_i64(json, "vector", line_vector(line));
	json_string(json, "chip", line->chip);
	json_string(json, "type", line->type);
	json_string(json, "affinity", line->affinity);
	json_string(json, "effective_affinity", line->effective_affinity);
	json_string(json, "policy", line_policy(lines, line));
	if (line->attachable == LINE_UNKNOWN)
		json_null(json, "attachable");
	else
		json_bool(json, "attachable", line->attachable == LINE_YES);
	json_string(json, "reason", line->reason);
	counts_json(json, lines, line);
	if (m && m->attached)
		attached_json(json, m);
}

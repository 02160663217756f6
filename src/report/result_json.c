/* One estimate as JSON: the keys are a contract, in this order. */
#include "answer/waterfall.h"
#include "format/json.h"
#include "op/op.h"
#include "report/comm.h"
#include "report/page.h"

#include <stdio.h>

/* A list as it was given: it is read back as it is. */
static void put_list(ridge__json *j, const char *name, const ridge_list *list)
{
    ridge__str text;
    ridge__str_init(&text, 0, NULL);
    ridge__str_add(&text, list->text, list->size);
    ridge__json_text(j, name, ridge__str_data(&text));
    j->out->failed = j->out->failed || text.failed;
    ridge__str_clear(&text);
}

void ridge__params_json(ridge__json *j, const ridge_call *call)
{
    ridge__json_open(j, "params", '{');
    for (size_t i = 0; i < call->op->param_count; i++) {
        char buf[48];
        if (!(call->given >> i & 1u))
            continue;
        const char *name = call->op->params[i].name;
        const char *word = ridge__call_word(buf, sizeof buf, call, i);
        const ridge_list *list = ridge__call_list(call, i);
        if (list)
            put_list(j, name, list);
        else if (word)
            ridge__json_text(j, name, word);
        else
            ridge__json_number(j, name, call->arg[i]);
    }
    ridge__json_close(j, '}');
}

static void put_work(ridge__json *j, const ridge_result *result)
{
    const ridge_estimate *e = result->estimate;
    const ridge_op *op = result->call->op;
    ridge__json_number(j, "flop", e->work.flop);
    ridge__json_number(j, "bytes", e->work.bytes);
    ridge__json_open(j, "bytes_by", '{');
    for (size_t i = 0; i < e->work.operand_count && i < op->operand_count; i++)
        ridge__json_number(j, op->operands[i], e->work.operand_bytes[i]);
    ridge__json_close(j, '}');
    if (op->fact_count > 0) {
        ridge__json_open(j, "facts", '{');
        for (size_t i = 0; i < op->fact_count; i++)
            ridge__json_number(j, op->facts[i].name,
                               ridge__op_fact_value(result->call, &op->facts[i]));
        ridge__json_close(j, '}');
    }
    ridge__json_number(j, "intensity", e->intensity);
    ridge__json_number(j, "ridge", e->ridge);
    ridge__json_text(j, "bound", ridge_bound_name(e->bound));
    ridge__json_number(j, "footprint_bytes", e->work.footprint_bytes);
    if (e->fits < 0)
        ridge__json_null(j, "fits");
    else
        ridge__json_bool(j, "fits", e->fits > 0);
}

static void put_times(ridge__json *j, const ridge_estimate *e)
{
    char basis[96];
    ridge__json_number(j, "compute_s", e->compute_s);
    ridge__json_number(j, "memory_s", e->memory_s);
    ridge__json_number(j, "communication_s", e->communication_s);
    ridge__json_number(j, "latency_s", e->latency_s);
    ridge__json_number(j, "launch_s", e->launch_s);
    ridge__json_number(j, "body_s", e->body_s);
    ridge__json_number(j, "floor_s", e->floor_s);
    ridge__json_number(j, "upper_s", e->upper_s);
    ridge__json_number(j, "expected_s", e->expected_s);
    ridge__json_number(j, "low_s", e->low_s);
    ridge__json_number(j, "high_s", e->high_s);
    ridge__json_number(j, "peak_flop_per_s", e->peak_flop_per_s);
    ridge__json_number(j, "ceiling_flop_per_s", e->ceiling_flop_per_s);
    ridge_estimate_basis(e, basis, sizeof basis);
    ridge__json_text(j, "basis", basis);
}

static void put_plan(ridge__json *j, const ridge_call *call, const ridge_plan *plan)
{
    char tile[32];
    if (plan->occupancy.asked) {
        ridge__json_open(j, "plan", '{');
        ridge__occupancy_json(j, call, &plan->occupancy);
        ridge__json_close(j, '}');
        return;
    }
    if (!plan->tile_m) {
        ridge__json_null(j, "plan");
        return;
    }
    snprintf(tile, sizeof tile, "%ux%u", (unsigned)plan->tile_m, (unsigned)plan->tile_n);
    ridge__json_open(j, "plan", '{');
    ridge__json_text(j, "tile", tile);
    ridge__json_number(j, "split_k", plan->split);
    ridge__json_number(j, "ctas", plan->ctas);
    ridge__json_number(j, "waves", plan->waves);
    ridge__json_close(j, '}');
}

static void put_warnings(ridge__json *j, const ridge_result *result)
{
    ridge__warnings_json(j, ridge__result_warnings(result));
    const char *not_counted = result->call->op->not_counted;
    ridge__json_open(j, "not_counted", '[');
    if (not_counted && not_counted[0])
        ridge__json_text(j, NULL, not_counted);
    ridge__json_close(j, ']');
}

/* Each line of the advice is an element. */
static void put_advice(ridge__json *j, const ridge_result *result)
{
    ridge__str text;
    ridge__str_init(&text, 0, NULL);
    ridge__advice(&text, result);
    ridge__json_open(j, "advice", '[');
    for (char *line = text.data; line && *line;) {
        char *end = strchr(line, '\n');
        *end = '\0'; /* every line ends in one */
        ridge__json_text(j, NULL, line);
        line = end + 1;
    }
    ridge__json_close(j, ']');
    j->out->failed = j->out->failed || text.failed;
    ridge__str_clear(&text);
}

static void put_measurement(ridge__json *j, const ridge_result *result)
{
    const ridge_measurement *m = result->measurement;
    ridge__waterfall fall;
    ridge__waterfall_find(&fall, result->machine, result->call, result->estimate, m);
    ridge__json_number(j, "time_s", m->time_s);
    if (m->count > 1) {
        ridge__json_number(j, "time_min_s", m->min_s);
        ridge__json_number(j, "time_max_s", m->max_s);
    }
    if (ridge_known(m->before_s))
        ridge__json_number(j, "before_s", m->before_s);
    ridge__json_number(j, "achieved_flop_per_s", m->achieved_flop_per_s);
    ridge__json_number(j, "achieved_bytes_per_s", m->achieved_bytes_per_s);
    ridge__json_number(j, "of_roof", m->of_roof);
    ridge__json_number(j, "of_peak", m->of_peak);
    ridge__json_number(j, "of_expected", m->of_expected);
    ridge__json_number(j, "implied_clock_hz", m->implied_clock_hz);
    ridge__json_text(j, "verdict", ridge_verdict_name(m->verdict));
    ridge__json_open(j, "waterfall", '[');
    bool flop = fall.unit == RIDGE_UNIT_FLOP_PER_S;
    for (size_t i = 0; i < fall.count; i++) {
        const ridge__step *step = &fall.step[i];
        ridge__json_open(j, NULL, '{');
        ridge__json_text(j, "step", step->name);
        ridge__json_number(j, "time_s", step->time_s);
        ridge__json_number(j, "share", step->share);
        ridge__json_number(j, flop ? "flop_per_s" : "bytes_per_s", step->rate);
        ridge__json_number(j, "factor", step->factor);
        ridge__json_close(j, '}');
    }
    ridge__json_close(j, ']');
    put_advice(j, result);
}

/* --explain: the terms; --verify: the command. */
static void put_details(ridge__json *j, const ridge_result *result,
                        const ridge_style *style)
{
    const ridge_estimate *e = result->estimate;
    if (style->explain) {
        ridge__json_open(j, "terms", '[');
        for (size_t i = 0; i < e->term_count; i++) {
            ridge__json_open(j, NULL, '{');
            ridge__json_text(j, "name", e->term[i].name);
            ridge__json_text(j, "bound", ridge_bound_name(e->term[i].bound));
            ridge__json_number(j, "demand", e->term[i].demand);
            ridge__json_number(j, "ceiling_per_s", e->term[i].ceiling);
            ridge__json_number(j, "share", e->term[i].share);
            ridge__json_number(j, "time_s", e->term[i].time_s);
            ridge__json_close(j, '}');
        }
        ridge__json_close(j, ']');
    }
    if (style->verify) {
        ridge__str text;
        ridge__str_init(&text, 0, NULL);
        ridge__verify(&text, result);
        ridge__json_text(j, "verify", ridge__str_data(&text));
        j->out->failed = j->out->failed || text.failed;
        ridge__str_clear(&text);
    }
}

void ridge__result_json(ridge__str *out, const ridge_result *result,
                        const ridge_style *style)
{
    ridge__json j;
    ridge__json_init(&j, out);
    ridge__json_open(&j, NULL, '{');
    ridge__json_text(&j, "op", result->call->op->name);
    ridge__json_text(&j, "gpu", ridge_machine_id(result->machine));
    ridge__params_json(&j, result->call);
    put_work(&j, result);
    put_times(&j, result->estimate);
    put_plan(&j, result->call, &result->estimate->plan);
    if (result->exchange)
        ridge__comm_json(&j, result);
    put_warnings(&j, result);
    if (result->measurement)
        put_measurement(&j, result);
    put_details(&j, result, style);
    ridge__json_close(&j, '}');
    ridge__str_add(out, "\n", 1);
}

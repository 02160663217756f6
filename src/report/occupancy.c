/* Blocks on a unit and bytes in flight, for a page and for JSON. */
#include "format/json.h"
#include "machine/machine.h"
#include "op/op.h"
#include "report/page.h"

static const char *const limits[] = {
#define X(name, word, text) text,
    RIDGE_OCCUPANCY_MAP(X)
#undef X
};

bool ridge__serial_given(const ridge_call *call)
{
    return call->op->form == RIDGE_FORM_CUSTOM && call->arg[RIDGE_CUSTOM_SERIAL] > 0;
}

const ridge_term *ridge__flight_term(const ridge_estimate *e)
{
    for (int i = 0; i < e->term_count; i++)
        if (e->term[i].bound == RIDGE_BY_LATENCY && ridge_known(e->term[i].ceiling))
            return &e->term[i];
    return NULL;
}

static void put_blocks(ridge__str *out, const ridge_result *result)
{
    const ridge_occupancy *o = &result->estimate->plan.occupancy;
    const ridge_device *device = result->machine->device;
    const char *unit = device && device->unit_name ? device->unit_name : "unit";
    bool one = o->blocks_per_unit == 1;
    ridge__str text;
    ridge__str_init(&text, 0, NULL);
    ridge__str_format(
        &text, "occupancy %s: %s block%s of %s warp%s on each %s, limited by %s",
        RIDGE__PERCENT(o->occupancy), RIDGE__N(o->blocks_per_unit), one ? "" : "s",
        RIDGE__N(o->warps_per_unit / o->blocks_per_unit),
        o->warps_per_unit == o->blocks_per_unit ? "" : "s", unit, limits[o->limited_by]);
    if (!ridge_known(result->call->arg[RIDGE_CUSTOM_REGS]))
        ridge__str_text(&text, " (regs= is not given)");
    if (ridge_known(o->waves))
        ridge__str_format(&text, "; %s waves, so %s", RIDGE__N(o->waves),
                          RIDGE__N(o->full_waves));
    ridge__row(out, "plan", ridge__str_data(&text));
    out->failed = out->failed || text.failed;
    ridge__str_clear(&text);
}

void ridge__occupancy_text(ridge__str *out, const ridge_result *result)
{
    const ridge_occupancy *o = &result->estimate->plan.occupancy;
    if (!o->asked)
        return;
    if (!ridge_known(o->blocks_per_unit)) {
        ridge__row(out, "plan", "occupancy ?, as the part's limits are not known");
        return;
    }
    put_blocks(out, result);
    if (!ridge_known(o->attainable_bytes_per_s))
        return;
    bool enough = o->bytes_in_flight >= o->needed_bytes_in_flight;
    ridge__row_format(
        out, "in flight", "%s; DRAM needs %s (%s x %s): %s%s",
        RIDGE__Q(o->bytes_in_flight, RIDGE_UNIT_BYTES),
        RIDGE__Q(o->needed_bytes_in_flight, RIDGE_UNIT_BYTES),
        RIDGE__Q(result->machine->dram.value, RIDGE_UNIT_BYTES_PER_S),
        RIDGE__S(o->latency_s), enough ? "enough" : "enough for ",
        enough ? "" : RIDGE__Q(o->attainable_bytes_per_s, RIDGE_UNIT_BYTES_PER_S));
}

void ridge__occupancy_json(ridge__json *j, const ridge_call *call,
                           const ridge_occupancy *o)
{
    ridge__json_number(j, "ctas", call->arg[RIDGE_CUSTOM_GRID]);
    ridge__json_number(j, "waves", o->waves);
    ridge__json_number(j, "full_waves", o->full_waves);
    ridge__json_number(j, "blocks_per_unit", o->blocks_per_unit);
    ridge__json_text(j, "limited_by", ridge_occupancy_limit_name(o->limited_by));
    ridge__json_number(j, "occupancy", o->occupancy);
    ridge__json_number(j, "warps_per_unit", o->warps_per_unit);
    ridge__json_number(j, "active_blocks", o->active_blocks);
    ridge__json_number(j, "bytes_in_flight", o->bytes_in_flight);
    ridge__json_number(j, "needed_bytes_in_flight", o->needed_bytes_in_flight);
    ridge__json_number(j, "attainable_bytes_per_s", o->attainable_bytes_per_s);
}

#include "hw/schema.h"

#define T(key)      RAW_TEXT(TYPE, key)
#define NEEDED(key) RAW_NEEDED(TYPE, key)

const cyaml_schema_value_t ridge__schema_text = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 0, CYAML_UNLIMITED)};

#define TYPE raw_source
static const cyaml_schema_field_t source_fields[] = {NEEDED(key), NEEDED(title), T(date),
                                                     CYAML_FIELD_END};
const cyaml_schema_value_t ridge__schema_source = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct TYPE, source_fields)};
#undef TYPE

#define TYPE raw_figure
static const cyaml_schema_field_t named_fields[] = {
    NEEDED(name), NEEDED(value), NEEDED(source), NEEDED(confidence),
    T(origin),    T(note),       CYAML_FIELD_END};
static const cyaml_schema_value_t named_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct TYPE, named_fields)};
#undef TYPE
/* A figure under a key that names it: the same without the first field. */
#define FIGURE(type, key)                                                                \
    CYAML_FIELD_MAPPING_PTR(#key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct type, \
                            key, named_fields + 1)

static const cyaml_schema_field_t clock_fields[] = {
    FIGURE(raw_clocks, base), FIGURE(raw_clocks, boost), FIGURE(raw_clocks, tensor),
    CYAML_FIELD_END};

#define TYPE raw_compute
static const cyaml_schema_field_t compute_fields[] = {
    NEEDED(dtype),      NEEDED(pipe), T(accumulate), NEEDED(peak),
    T(sparse),          T(clock),     T(rate),       NEEDED(source),
    NEEDED(confidence), T(origin),    T(note),       CYAML_FIELD_END};
static const cyaml_schema_value_t compute_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct TYPE, compute_fields)};
#undef TYPE

#define TYPE raw_memory
static const cyaml_schema_field_t memory_fields[] = {
    NEEDED(level),  T(name),          T(bus_bits),        T(capacity),
    T(stated),      T(device),        T(measured),        T(roof),
    NEEDED(source), T(device_source), T(measured_source), NEEDED(confidence),
    T(note),        CYAML_FIELD_END};
static const cyaml_schema_value_t memory_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct TYPE, memory_fields)};
#undef TYPE

#define TYPE raw_link
static const cyaml_schema_field_t link_fields[] = {
    NEEDED(name),       T(count),           T(stated), T(measured),    NEEDED(source),
    T(measured_source), NEEDED(confidence), T(note),   CYAML_FIELD_END};
static const cyaml_schema_value_t link_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct TYPE, link_fields)};
#undef TYPE

#define TYPE raw_fabric
static const cyaml_schema_field_t fabric_fields[] = {NEEDED(name),
                                                     NEEDED(topology),
                                                     T(link),
                                                     T(domain),
                                                     T(bandwidth),
                                                     T(achieved),
                                                     T(per_peer),
                                                     T(beyond),
                                                     T(latency),
                                                     T(reduces),
                                                     T(switches),
                                                     NEEDED(source),
                                                     T(achieved_source),
                                                     T(latency_source),
                                                     NEEDED(confidence),
                                                     T(note),
                                                     CYAML_FIELD_END};
#undef TYPE

#define TYPE raw_nics
static const cyaml_schema_field_t nics_fields[] = {
    NEEDED(count),  T(per_gpu),         NEEDED(rate), T(kind),
    NEEDED(source), NEEDED(confidence), T(note),      CYAML_FIELD_END};
#undef TYPE

#define TYPE raw_cpu
static const cyaml_schema_field_t cpu_fields[] = {NEEDED(name),       T(sockets),
                                                  T(cores),           NEEDED(source),
                                                  NEEDED(confidence), CYAML_FIELD_END};
#undef TYPE

#define TYPE raw_power
static const cyaml_schema_field_t power_fields[] = {
    NEEDED(value), T(of), NEEDED(source), NEEDED(confidence), T(note), CYAML_FIELD_END};
#undef TYPE

/* A group of keys under one key. */
#define GROUP(type, key, fields)                                                         \
    CYAML_FIELD_MAPPING_PTR(#key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct type, \
                            key, fields)

#define TYPE raw_system
static const cyaml_schema_field_t system_fields[] = {
    NEEDED(id),
    NEEDED(name),
    NEEDED(gpu),
    T(ordinary),
    T(pcie),
    RAW_LIST(TYPE, aliases, ridge__schema_text),
    RAW_LIST(TYPE, notes, ridge__schema_text),
    CYAML_FIELD_SEQUENCE("sources", CYAML_FLAG_POINTER, struct TYPE, sources,
                         &ridge__schema_source, 1, CYAML_UNLIMITED),
    CYAML_FIELD_MAPPING_PTR("gpus", CYAML_FLAG_POINTER, struct TYPE, gpus,
                            named_fields + 1),
    FIGURE(TYPE, host_memory),
    RAW_LIST(TYPE, totals, named_value),
    GROUP(TYPE, inside, fabric_fields),
    GROUP(TYPE, between, fabric_fields),
    GROUP(TYPE, nics, nics_fields),
    GROUP(TYPE, cpu, cpu_fields),
    GROUP(TYPE, power, power_fields),
    CYAML_FIELD_END};
const cyaml_schema_value_t ridge__schema_system = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct TYPE, system_fields)};
#undef TYPE

#define TYPE raw_rate
static const cyaml_schema_field_t rate_fields[] = {NEEDED(one),    NEEDED(both),
                                                   NEEDED(source), NEEDED(confidence),
                                                   T(note),        CYAML_FIELD_END};
#undef TYPE

#define TYPE raw_span
static const cyaml_schema_field_t span_fields[] = {
    T(value),           T(low),         T(high), NEEDED(what), NEEDED(source),
    NEEDED(confidence), CYAML_FIELD_END};
static const cyaml_schema_value_t span_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct TYPE, span_fields)};
#undef TYPE

#define TYPE raw_way
static const cyaml_schema_field_t way_fields[] = {
    NEEDED(id),
    NEEDED(name),
    NEEDED(parts),
    NEEDED(place),
    NEEDED(path),
    NEEDED(use),
    RAW_LIST(TYPE, notes, ridge__schema_text),
    CYAML_FIELD_SEQUENCE("sources", CYAML_FLAG_POINTER, struct TYPE, sources,
                         &ridge__schema_source, 1, CYAML_UNLIMITED),
    GROUP(TYPE, rate, rate_fields),
    RAW_LIST(TYPE, achieved, span_value),
    RAW_LIST(TYPE, latency, span_value),
    CYAML_FIELD_END};
const cyaml_schema_value_t ridge__schema_way = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct TYPE, way_fields)};
#undef TYPE

#define TYPE raw_slice
static const cyaml_schema_field_t slice_fields[] = {
    NEEDED(name),   NEEDED(count),  T(units),           T(share),
    NEEDED(memory), NEEDED(source), NEEDED(confidence), CYAML_FIELD_END};
static const cyaml_schema_value_t slice_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct TYPE, slice_fields)};
#undef TYPE

#define TYPE raw_device
static const cyaml_schema_field_t device_fields[] = {
    NEEDED(id),
    NEEDED(name),
    T(variant),
    NEEDED(vendor),
    NEEDED(arch),
    T(capability),
    T(year),
    RAW_LIST(TYPE, aliases, ridge__schema_text),
    RAW_LIST(TYPE, device_names, ridge__schema_text),
    RAW_LIST(TYPE, unsupported, ridge__schema_text),
    RAW_LIST(TYPE, notes, ridge__schema_text),
    CYAML_FIELD_SEQUENCE("sources", CYAML_FLAG_POINTER, struct TYPE, sources,
                         &ridge__schema_source, 1, CYAML_UNLIMITED),
    CYAML_FIELD_MAPPING_PTR("units", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL,
                            struct TYPE, units, named_fields),
    FIGURE(TYPE, tdp),
    CYAML_FIELD_MAPPING_PTR("clocks", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL,
                            struct TYPE, clocks, clock_fields),
    RAW_LIST(TYPE, limits, named_value),
    RAW_LIST(TYPE, compute, compute_value),
    RAW_LIST(TYPE, memory, memory_value),
    RAW_LIST(TYPE, links, link_value),
    RAW_LIST(TYPE, mig, slice_value),
    T(process),
    CYAML_FIELD_END};
const cyaml_schema_value_t ridge__schema_device = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct TYPE, device_fields)};
#undef TYPE

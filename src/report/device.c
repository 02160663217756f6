#include "report/cite.h"
#include "report/page.h"
#include "report/part.h"

#include <string.h>

/* ---- Pages ------------------------------------------------------------------------- */

ridge_status ridge_device_write(const ridge_device *const *devices, size_t count,
                                const ridge_style *style, ridge_sink sink,
                                ridge_error *err)
{
    if (count == 0)
        return ridge__error_set(err, RIDGE_INVALID, "no part was named");
    ridge__str out;
    ridge__arena scratch;
    ridge__str_init(&out, 0, NULL);
    ridge__arena_init(&scratch, NULL);
    if (style->format == RIDGE_JSON)
        ridge__part_json(&out, devices, count, count > 1);
    else if (style->format == RIDGE_CSV)
        ridge__part_csv(&out, devices, count, &scratch);
    else if (count > 1)
        ridge__part_compare(&out, devices, count, style, &scratch);
    else
        ridge__part_page(&out, devices[0], style, &scratch);
    if (!ridge__arena_ok(&scratch))
        out.failed = true;
    ridge_status status = ridge__str_send(&out, sink, err);
    ridge__arena_clear(&scratch);
    ridge__str_clear(&out);
    return status;
}

/* ---- The list ---------------------------------------------------------------------- */

static bool matches(const ridge_device *d, const char *const *words, size_t count)
{
    const char *fields[] = {d->id, d->name, d->variant, d->vendor, d->arch};
    return ridge__holds_words(fields, RIDGE__COUNT(fields), words, count);
}

static bool unsupported(const ridge_device *d, ridge_dtype dtype)
{
    return (d->unsupported & 1u << dtype) != 0;
}

static double best_peak(const ridge_device *d, ridge_dtype dtype)
{
    return ridge_device_peak(d, RIDGE_PIPE_ANY, dtype, RIDGE_FP32).dense.value;
}

/* A figure in the unit of its heading, three digits; "?" unknown, "-" no hardware. */
static const char *scaled_text(char *buf, size_t size, double value, bool absent)
{
    char number[32];
    if (!ridge_known(value))
        snprintf(buf, size, "%s", absent ? "-" : "?");
    else if (value >= 1000) /* "3352", not "3350": whole numbers keep their digits */
        snprintf(buf, size, "%.*s", (int)ridge__number_format(number, round(value), 9),
                 number);
    else
        snprintf(buf, size, "%.*s", (int)ridge__number_format(number, value, 3), number);
    return buf;
}
#define SCALED(value, absent) scaled_text((char[40]){0}, 40, value, absent)

/* Name and variant within `room` columns. */
static const char *title_text(char *buf, size_t room, const ridge_device *d)
{
    int size = snprintf(buf, room + 1, "%s%s%s", d->name, d->variant ? " " : "",
                        d->variant ? d->variant : "");
    if (size > (int)room)
        memcpy(buf + room - 2, "..", 2);
    return buf;
}

static void put_line(ridge__str *out, const ridge_device *d)
{
    char title[22];
    double bf16 = best_peak(d, RIDGE_BF16);
    double ridge = ridge__part_ridge(d, bf16);
    bool absent = unsupported(d, RIDGE_BF16);
    ridge__str_format(out, "%-18s%-22s%6s%8s%8s%7s%5s%6s\n", d->id,
                      title_text(title, 21, d), SCALED(d->units.value, false),
                      SCALED(bf16 / 1e12, absent),
                      SCALED(best_peak(d, RIDGE_FP32) / 1e12, false),
                      SCALED(ridge_device_bandwidth(d, RIDGE_DRAM).value / 1e9, false),
                      SCALED(ridge_device_capacity(d, RIDGE_L2).value / 1048576, false),
                      SCALED(ridge, absent));
}

static void put_list(ridge__str *out, const ridge_device *const *devices, size_t count,
                     const ridge_style *style)
{
    ridge__color(out, style, "1");
    ridge__str_format(out, "%-18s%-22s%6s%8s%8s%7s%5s%6s\n", "id", "part", "units",
                      "bf16", "fp32", "DRAM", "L2", "ridge");
    ridge__color(out, style, "0");
    ridge__str_format(out, "%-18s%-22s%6s%8s%8s%7s%5s%6s\n", "", "", "", "TFLOP/s",
                      "TFLOP/s", "GB/s", "MiB", "bf16");
    for (size_t i = 0; i < count; i++)
        put_line(out, devices[i]);
    ridge__str_format(out,
                      "%zu part%s; dense peaks of the fastest pipe; -: no hardware "
                      "path; ?: not known\n",
                      count, count == 1 ? "" : "s");
}

static const struct {
    ridge_pipe pipe;
    ridge_dtype dtype, accumulator;
} csv_peaks[] = {
    {RIDGE_VECTOR, RIDGE_FP64, RIDGE_FP32},  {RIDGE_VECTOR, RIDGE_FP32, RIDGE_FP32},
    {RIDGE_VECTOR, RIDGE_FP16, RIDGE_FP32},  {RIDGE_MATRIX, RIDGE_FP64, RIDGE_FP32},
    {RIDGE_MATRIX, RIDGE_FP32, RIDGE_FP32},  {RIDGE_MATRIX, RIDGE_TF32, RIDGE_FP32},
    {RIDGE_MATRIX, RIDGE_BF16, RIDGE_FP32},  {RIDGE_MATRIX, RIDGE_FP16, RIDGE_FP32},
    {RIDGE_MATRIX, RIDGE_FP8, RIDGE_FP32},   {RIDGE_MATRIX, RIDGE_FP6, RIDGE_FP32},
    {RIDGE_MATRIX, RIDGE_NVFP4, RIDGE_FP32}, {RIDGE_MATRIX, RIDGE_INT8, RIDGE_FP32},
    {RIDGE_MATRIX, RIDGE_FP16, RIDGE_FP16},  {RIDGE_MATRIX, RIDGE_FP8, RIDGE_FP16},
};

static void put_list_csv(ridge__str *out, const ridge_device *const *devices,
                         size_t count)
{
    ridge__str_text(out, "id,name,variant,vendor,arch,year,units,clock_boost_hz,"
                         "clock_tensor_hz,tdp_w");
    for (size_t k = 0; k < RIDGE__COUNT(csv_peaks); k++)
        ridge__str_format(out, ",%s_%s%s_flop_per_s",
                          ridge_dtype_name(csv_peaks[k].dtype),
                          ridge_pipe_name(csv_peaks[k].pipe),
                          csv_peaks[k].accumulator == RIDGE_FP32 ? "" : "_acc16");
    for (int level = 0; level < RIDGE_LEVEL_COUNT; level++) {
        const char *name = ridge_level_name((ridge_level)level);
        ridge__str_format(out, ",%s_bytes,%s_bytes_per_s", name, name);
    }
    ridge__str_text(out, ",ridge_bf16\n");
    for (size_t i = 0; i < count; i++) {
        const ridge_device *d = devices[i];
        ridge__cell_text(out, "", d->id);
        ridge__cell_text(out, ",", d->name);
        ridge__cell_text(out, ",", d->variant);
        ridge__cell_text(out, ",", d->vendor);
        ridge__cell_text(out, ",", d->arch);
        ridge__cell_number(out, ",", d->year);
        ridge__cell_number(out, ",", d->units.value);
        ridge__cell_number(out, ",", d->clock_boost.value);
        ridge__cell_number(out, ",", d->clock_tensor.value);
        ridge__cell_number(out, ",", d->tdp_w.value);
        for (size_t k = 0; k < RIDGE__COUNT(csv_peaks); k++)
            ridge__cell_number(out, ",",
                               ridge_device_peak(d, csv_peaks[k].pipe, csv_peaks[k].dtype,
                                                 csv_peaks[k].accumulator)
                                   .dense.value);
        for (int level = 0; level < RIDGE_LEVEL_COUNT; level++) {
            ridge__cell_number(out, ",",
                               ridge_device_capacity(d, (ridge_level)level).value);
            ridge__cell_number(out, ",",
                               ridge_device_bandwidth(d, (ridge_level)level).value);
        }
        ridge__cell_number(out, ",", ridge__part_ridge(d, best_peak(d, RIDGE_BF16)));
        ridge__str_text(out, "\n");
    }
}

/* Parts that have every word, in id order, in the arena. */
static ridge_status select_parts(const ridge_device ***out, size_t *count,
                                 ridge_catalog *catalog, const char *const *words,
                                 size_t word_count, ridge__arena *arena, ridge_error *err)
{
    size_t total = ridge_catalog_count(catalog);
    const ridge_device **devices = ridge__arena_alloc(arena, total * sizeof *devices);
    if (!devices)
        return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
    size_t n = 0;
    for (size_t i = 0; i < total; i++) {
        ridge_status status =
            ridge_catalog_load(&devices[n], catalog, ridge_catalog_id(catalog, i), err);
        if (status)
            return status;
        n += matches(devices[n], words, word_count);
    }
    if (n == 0 && word_count)
        return ridge__error_set(
            err, RIDGE_NOTFOUND,
            "no part has \"%s\"%s in its id, name, vendor or architecture",
            RIDGE__QUOTE(words[0]), word_count > 1 ? " and the other words" : "");
    *out = devices;
    *count = n;
    return RIDGE_OK;
}

ridge_status ridge_catalog_write(ridge_catalog *catalog, const char *const *words,
                                 size_t word_count, const ridge_style *style,
                                 ridge_sink sink, ridge_error *err)
{
    ridge_status status;
    const ridge_device **devices = NULL;
    size_t count = 0;
    ridge__arena arena;
    ridge__str out;
    ridge__arena_init(&arena, NULL);
    ridge__str_init(&out, 0, NULL);
    RIDGE__TRY(select_parts(&devices, &count, catalog, words, word_count, &arena, err));
    if (style->format == RIDGE_JSON)
        ridge__part_json(&out, devices, count, true);
    else if (style->format == RIDGE_CSV)
        put_list_csv(&out, devices, count);
    else
        put_list(&out, devices, count, style);
    status = ridge__str_send(&out, sink, err);
out:
    ridge__arena_clear(&arena);
    ridge__str_clear(&out);
    return status;
}

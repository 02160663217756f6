/* From options to the library's objects: what every command that estimates shares. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The machine ----------------------------------------------------------------- */

ridge_status machine_changes(const char **keys, const char **values, size_t room,
                             size_t *count, const struct run *run, ridge_error *err)
{
    /* A clock scales the peaks that the part states, so it goes before given ones; a rate
     * of links replaces that of the system. */
    static const char *const order[] = {"fit",  "clock",  "peak", "dram",
                                        "warm", "system", "link"};
    size_t n = 0;
    for (size_t k = 0; k < COUNT(order); k++) {
        const bool flag = strcmp(order[k], "warm") == 0;
        size_t at = 0;
        const char *value = NULL;
        while (flag ? args_has(&run->args, "warm") && at++ == 0
                    : (value = args_next(&run->args, order[k], &at)) != NULL) {
            if (n == room)
                return fail(err, RIDGE_LIMIT, order[k],
                            "more than %zu changes of the machine", room);
            keys[n] = order[k];
            values[n++] = flag ? "1" : value;
        }
    }
    *count = n;
    return RIDGE_OK;
}

static ridge_status set_all(ridge_machine *machine, const struct run *run,
                            ridge_error *err)
{
    enum {
        ROOM = 16 /* the machine says how many it takes */
    };
    const char *keys[ROOM], *values[ROOM];
    size_t count = 0;
    ridge_status status = machine_changes(keys, values, ROOM, &count, run, err);
    for (size_t i = 0; i < count && !status; i++) {
        status = ridge_machine_set(machine, keys[i], values[i], err);
        if (status) {
            char where[16];
            snprintf(where, sizeof where, "--%s", keys[i]);
            fail_at(err, where);
        }
    }
    if (!status) /* where nothing is known of links, so be it */
        status = ridge_machine_assume_system(machine, err);
    return status == RIDGE_NODATA ? RIDGE_OK : status;
}

/*
 * Where a column names the parts, a slip in what changes them is still one of the command
 * line: what any part takes is tried on the teaching GPU, before the first row.
 */
ridge_status machine_changes_try(ridge_catalog *catalog, const char *const *keys,
                                 const char *const *values, size_t count,
                                 ridge_error *err)
{
    const ridge_device *device;
    ridge_machine *machine = NULL;
    ridge_status status = ridge_catalog_load(&device, catalog, "example", err);
    if (!status)
        status = ridge_machine_new(&machine, catalog, device, err);
    for (size_t i = 0; i < count && !status; i++)
        if (strcmp(keys[i], "fit") == 0 || strcmp(keys[i], "peak") == 0 ||
            strcmp(keys[i], "dram") == 0)
            status = ridge_machine_set(machine, keys[i], values[i], err);
    ridge_machine_free(machine);
    return status;
}

/* The part of that name, else that of --system; *out stays NULL where neither is given. */
static ridge_status find_part(const ridge_device **out, const struct run *run,
                              ridge_catalog *catalog, const char *gpu, ridge_error *err)
{
    const char *named = args_text(run, "system");
    const ridge_system *system = NULL;
    ridge_status status = RIDGE_OK;
    if (gpu) {
        status = ridge_catalog_load(out, catalog, gpu, err);
        if (status == RIDGE_NOTFOUND && strchr(gpu, ','))
            return fail(err, status, "--gpu",
                        "takes one part; ridge predict compares several, named in a "
                        "column gpu");
    } else if (named) {
        status = ridge_catalog_load_system(&system, catalog, named, err);
        if (!status)
            *out = ridge_system_device(system);
    }
    if (status)
        fail_at(err, gpu ? "--gpu" : "--system");
    return status;
}

ridge_status catalog_open(ridge_catalog **out, const struct run *run, ridge_error *err)
{
    if (args_has(&run->args, "warm") && args_has(&run->args, "cold"))
        return fail(err, RIDGE_INVALID, "--warm", "contradicts --cold; give one of them");
    ridge_status status = ridge_catalog_open(out, args_text(run, "catalog"), NULL, err);
    if (status)
        fail_at(err, "--catalog");
    return status;
}

ridge_status machine_open(ridge_machine **out, const struct run *run,
                          ridge_catalog *catalog, const char *gpu, ridge_error *err)
{
    const ridge_device *device = NULL;
    ridge_machine *machine = NULL;
    ridge_status status = find_part(&device, run, catalog, gpu, err);
    if (status)
        return status;
    if (!device && (!args_has(&run->args, "peak") || !args_has(&run->args, "dram")))
        return fail(err, RIDGE_INVALID, "--gpu",
                    "no machine is named; give --gpu ID (see ridge gpus), or both --peak "
                    "and --dram");
    status = ridge_machine_new(&machine, catalog, device, err);
    if (!status)
        status = set_all(machine, run, err);
    if (status)
        ridge_machine_free(machine);
    else
        *out = machine;
    return status;
}

ridge_status subject_open(struct subject *subject, const struct run *run, bool needed,
                          ridge_error *err)
{
    const char *gpu = args_text(run, "gpu");
    bool given = args_has(&run->args, "peak") && args_has(&run->args, "dram");
    *subject = (struct subject){0};
    ridge_status status = catalog_open(&subject->catalog, run, err);
    if (status || (!needed && !gpu && !given && !args_text(run, "system")))
        return status;
    return machine_open(&subject->machine, run, subject->catalog, gpu, err);
}

void subject_close(struct subject *subject)
{
    ridge_machine_free(subject->machine);
    ridge_catalog_free(subject->catalog);
    *subject = (struct subject){0};
}

/* ---- The call -------------------------------------------------------------------- */

ridge_backend args_backend(const struct run *run)
{
    const char *want = args_text(run, "backend");
    ridge_backend backend = RIDGE_BACKEND_BEST;
    if (want)
        (void)ridge_backend_parse(&backend, want);
    return backend;
}

bool args_backend_unknown(const struct run *run)
{
    const char *want = args_text(run, "backend");
    ridge_backend backend;
    return want && !ridge_backend_parse(&backend, want);
}

void note_backend(const struct run *run)
{
    if (args_backend_unknown(run))
        note("warning unknown_backend: --backend %s counts as %s",
             args_text(run, "backend"), ridge_backend_name(RIDGE_BACKEND_BEST));
}

bool timing_code(const char *word)
{
    ridge_timing timing;
    return ridge_timing_parse(&timing, word);
}

ridge_timing args_timing(const struct run *run)
{
    const char *want = args_text(run, "timing");
    ridge_timing timing = RIDGE_TIMING_GRAPH;
    if (want)
        (void)ridge_timing_parse(&timing, want);
    return timing;
}

/* "256x128": two whole numbers up to 4096. */
static ridge_status parse_tile(ridge_call *call, const char *text, ridge_error *err)
{
    unsigned long size[2] = {0, 0};
    const char *p = text;
    for (int i = 0; i < 2; i++) {
        size_t digits = strspn(p, "0123456789");
        if (digits >= 1 && digits <= 4)
            size[i] = strtoul(p, NULL, 10);
        p += digits;
        if (i == 0 && *p == 'x')
            p++;
    }
    if (*p || size[0] < 1 || size[1] < 1 || size[0] > 4096 || size[1] > 4096)
        return fail(err, RIDGE_INVALID, "--tile",
                    "\"%.40s\" is no tile; give rows x columns, as in 256x128", text);
    call->tile_m = (uint16_t)size[0];
    call->tile_n = (uint16_t)size[1];
    return RIDGE_OK;
}

/* "causal", "bf16": a parameter without its value, or a dtype without its name. */
static ridge_status bare_word(const ridge_call *call, const char *word, ridge_error *err)
{
    ridge_call probe = *call;
    ridge_error ignored;
    if (!ridge_call_set(&probe, word, "1", &ignored))
        return fail(err, RIDGE_INVALID, word, "needs its value, as in %s=1", word);
    probe = *call;
    if (!ridge_call_set(&probe, "dtype", word, &ignored))
        return fail(err, RIDGE_INVALID, word, "needs its name, as in dtype=%s", word);
    return fail(err, RIDGE_INVALID, word,
                "is no key=value word; parameters look like m=4096, and a unit joins its "
                "number, as in 2ms");
}

static ridge_status set_word(ridge_call *call, const char *word, ridge_error *err)
{
    char key[64];
    size_t n = strcspn(word, "=");
    if (!word[n])
        return bare_word(call, word, err);
    if (n == 0 || n >= sizeof key)
        return fail(err, RIDGE_INVALID, word, "has no parameter name before the =");
    memcpy(key, word, n);
    key[n] = '\0';
    ridge_status status = ridge_call_set(call, key, word + n + 1, err);
    if (status)
        fail_at(err, word);
    return status;
}

/* --tile, --count, --backend and --timing, of the commands that have them. */
static ridge_status set_options(ridge_call *call, const struct run *run, ridge_error *err)
{
    const char *tile = args_text(run, "tile");
    ridge_status status = tile ? parse_tile(call, tile, err) : RIDGE_OK;
    if (status)
        return status;
    const char *which = args_text(run, "count");
    call->executed = which && strcmp(which, "executed") == 0;
    call->backend = (uint8_t)args_backend(run);
    call->timing = (uint8_t)args_timing(run);
    return RIDGE_OK;
}

ridge_status call_read(ridge_call *call, const struct run *run, const char *const *words,
                       size_t count, ridge_error *err)
{
    ridge_call made;
    ridge_status status = ridge_call_init(&made, words[0], err);
    if (status) {
        fail_at(err, run->command->name);
        return status;
    }
    for (size_t i = 1; i < count; i++) {
        status = set_word(&made, words[i], err);
        if (status)
            return status;
    }
    status = set_options(&made, run, err);
    if (!status)
        *call = made;
    return status;
}

size_t words_split(char *text, const char **words, size_t room)
{
    size_t count = 0;
    for (char *p = text; *(p += strspn(p, " \t")); count++) {
        if (count < room)
            words[count] = p;
        p += strcspn(p, " \t");
        if (*p)
            *p++ = '\0';
    }
    return count;
}

ridge_status call_parse(ridge_call *call, const struct run *run, const char *const *words,
                        size_t count, ridge_error *err)
{
    ridge_call made;
    ridge_status status = call_read(&made, run, words, count, err);
    if (status)
        return status;
    status = ridge_call_finish(&made, err);
    if (status)
        fail_at(err, run->command->name);
    else
        *call = made;
    return status;
}

/* ---- The estimate ---------------------------------------------------------------- */

/* Without --gpu, --peak and --dram must give the rates that the call needs. */
static ridge_status check_given(const struct run *run, const ridge_estimate *estimate,
                                ridge_error *err)
{
    const ridge_work *work = &estimate->work;
    if (args_text(run, "gpu") || args_text(run, "system"))
        return RIDGE_OK;
    const char *dtype = ridge_dtype_name((ridge_dtype)work->dtype);
    if (work->flop > 0 && !ridge_known(estimate->peak_flop_per_s))
        return fail(err, RIDGE_INVALID, "--peak",
                    "gives no rate for %s; add --peak %s=800TFLOP/s, or name a --gpu",
                    dtype ? dtype : "the FLOP", dtype ? dtype : "bf16");
    if (work->bytes > 0 && !ridge_known(estimate->bandwidth_bytes_per_s))
        return fail(err, RIDGE_INVALID, "--dram",
                    "gives no rate; without --gpu there is none to take a multiple of");
    return RIDGE_OK;
}

ridge_status warnings_check(const struct run *run, uint32_t warnings, ridge_error *err)
{
    uint32_t guesses = warnings & ridge_warning_mask(RIDGE_GUESS);
    if (!guesses || !args_has(&run->args, "strict"))
        return RIDGE_OK;
    return fail(err, RIDGE_NODATA, "--strict",
                "the estimate leans on a borrowed or guessed figure (%s); leave out "
                "--strict to see it with the warning",
                ridge_warning_code(guesses & -guesses)); /* the lowest bit */
}

ridge_status call_estimate(ridge_estimate *out, const struct run *run,
                           const ridge_machine *machine, const ridge_call *call,
                           ridge_error *err)
{
    ridge_estimate made;
    ridge_status status = ridge_estimate_call(&made, machine, call, err);
    if (!status)
        status = check_given(run, &made, err);
    if (!status && args_backend_unknown(run))
        made.warnings |= RIDGE_WARNING_BEST_BACKEND_ASSUMED;
    if (!status)
        status = warnings_check(run, made.warnings, err);
    if (!status)
        *out = made;
    return status;
}

/* ---- Measured times -------------------------------------------------------------- */

ridge_status times_check(const double *times, size_t count, double before,
                         ridge_error *err)
{
    for (size_t i = 0; i < count; i++)
        if (!(times[i] > 0))
            return fail(err, RIDGE_INVALID, "--time", "a measured time is above zero");
    if (ridge_known(before) && count == 0)
        return fail(err, RIDGE_INVALID, "--before",
                    "needs the time after the change too; give --time");
    if (ridge_known(before) && !(before > 0))
        return fail(err, RIDGE_INVALID, "--before", "a measured time is above zero");
    return RIDGE_OK;
}

ridge_status question_run(struct run *run, const struct question *question,
                          ridge_error *err)
{
    struct subject subject = {0};
    double *times = NULL;
    size_t count = 0;
    ridge_call call;
    ridge_status status = args_expect(run, 1, SIZE_MAX, "an operation", err);
    if (!status)
        status = args_numbers(&times, &count, &run->args, "time", err);
    if (!status)
        status = times_check(times, count, args_number(&run->args, "before"), err);
    if (!status && question->check)
        status = question->check(run, err);
    if (!status)
        status = call_parse(&call, run, run->args.words, run->args.word_count, err);
    if (!status)
        status = subject_open(&subject, run, true, err);
    if (!status)
        status = question->answer(run, subject.machine, &call, times, count, err);
    fail_at(err, question->name);
    subject_close(&subject);
    free(times);
    return status;
}

#include "machine/machine.h"

#include <stdlib.h>

/* What one SM or CU takes from L2 in a cycle, where nobody measured the whole: the port
 * of NVIDIA's SMs since Volta is 64 B wide (GPU micro-benchmarks of V100, A100 and
 * H100). */
#define L2_PORT_BYTES_PER_CYCLE 64

static ridge_fact first_known(ridge_fact a, ridge_fact b)
{
    return ridge_known(a.value) ? a : b;
}

static const ridge_fact *faster(const ridge_fact *a, const ridge_fact *b)
{
    if (!ridge_known(a->value) || !ridge_known(b->value))
        return ridge_known(a->value) ? a : b;
    return a->value >= b->value ? a : b;
}

static void peaks_copy(ridge_machine *m)
{
    const ridge_device *d = m->device;
    for (size_t i = 0; d && i < d->compute_count; i++) {
        const ridge__compute *c = &d->compute[i];
        if (c->accumulator == RIDGE_FP16) {
            m->peak_acc16[c->dtype] = c->peak.dense;
        } else {
            m->peak[c->dtype][c->pipe] = c->peak.dense;
            m->peak_clock_hz[c->dtype][c->pipe] = c->peak.clock.value;
        }
    }
    /* Consumer parts of Pascal have fp16 at 1/64 of the fp32 rate, and kernels there
     * convert: where fp32 is faster, fp16 data is computed in it. */
    ridge_fact *fp16 = &m->peak[RIDGE_FP16][RIDGE_VECTOR];
    if (ridge_known(fp16->value))
        *fp16 = *faster(fp16, &m->peak[RIDGE_FP32][RIDGE_VECTOR]);
}

static ridge_fact l2_bandwidth(const ridge_device *d)
{
    const ridge__memory *l2 = ridge__device_memory(d, RIDGE_L2);
    if (l2 && ridge_known(l2->measured.value))
        return l2->measured;
    if (l2 && ridge_known(l2->roof.value))
        return l2->roof;
    ridge_fact fact = d->clock_boost;
    fact.value *= L2_PORT_BYTES_PER_CYCLE * d->units.value;
    fact.origin = RIDGE_DERIVED;
    fact.confidence = 'C';
    fact.source = "64 B per cycle and unit at the boost clock";
    return l2 ? fact : ridge__fact_unknown();
}

static void device_copy(ridge_machine *m)
{
    const ridge_device *d = m->device;
    m->dram = ridge_device_bandwidth(d, RIDGE_DRAM);
    m->dram_capacity = ridge_device_capacity(d, RIDGE_DRAM);
    m->l2 = l2_bandwidth(d);
    m->l2_capacity = ridge_device_capacity(d, RIDGE_L2);
    m->units = d->units;
    m->clock_vector_hz = d->clock_boost.value;
    m->clock_matrix_hz = first_known(d->clock_tensor, d->clock_boost).value;
    m->board_w = d->tdp_w.value;
    m->special_per_cycle = ridge__device_limit(d, "special_per_cycle").value;
    m->unsupported = d->unsupported;
}

static ridge_status fits_copy(ridge_machine *m, ridge_error *err)
{
    m->host_call_s = RIDGE_UNKNOWN;
    if (!m->device)
        return RIDGE_OK;
    const char *keys[RIDGE_LINK_STATED] = {[RIDGE_LINK_PART] = m->device->id,
                                           [RIDGE_LINK_ARCH] = m->device->arch,
                                           [RIDGE_LINK_ANY] = "any"};
    for (unsigned link = RIDGE_LINK_PART; link <= RIDGE_LINK_ANY; link++) {
        if (!keys[link])
            continue;
        ridge_status status = ridge__catalog_fits(
            &m->fits[link].fit, &m->fits[link].count, m->catalog, keys[link], err);
        if (status)
            return status;
        if (link <= RIDGE_LINK_ARCH && m->fits[link].count > 0 &&
            !ridge_known(m->host_call_s))
            m->host_call_s = m->fits[link].fit->host_call_s;
        if (link == RIDGE_LINK_ARCH && m->fits[link].count > 0) {
            keys[RIDGE_LINK_LIKE] = m->fits[link].fit->like;
            m->like_for = m->fits[link].fit->like_for;
            m->like_spread = m->fits[link].fit->like_spread;
        }
    }
    return RIDGE_OK;
}

ridge_status ridge_machine_new(ridge_machine **out, ridge_catalog *catalog,
                               const ridge_device *device, ridge_error *err)
{
    const ridge_fact none = ridge__fact_unknown();
    ridge_machine *m = calloc(1, sizeof *m);
    if (!m)
        return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
    m->catalog = catalog;
    m->device = device;
    for (size_t i = 0; i < RIDGE_DTYPE_COUNT; i++) {
        m->peak_acc16[i] = none;
        for (size_t p = 0; p < RIDGE_PIPE_COUNT; p++) {
            m->peak[i][p] = none;
            m->peak_clock_hz[i][p] = RIDGE_UNKNOWN;
        }
    }
    m->dram = m->l2 = m->link = m->dram_capacity = m->l2_capacity = m->units = none;
    m->clock_matrix_hz = m->clock_vector_hz = m->parts_per_node = RIDGE_UNKNOWN;
    m->board_w = m->special_per_cycle = m->host_share = RIDGE_UNKNOWN;
    m->inside = m->between = ridge__fabric_none();
    peaks_copy(m);
    if (device)
        device_copy(m);
    ridge_status status = fits_copy(m, err);
    if (!status && device)
        status = ridge__catalog_atom(&m->atom[RIDGE_ATOM_DRAM], catalog, device->arch,
                                     RIDGE_ATOM_DRAM, err);
    if (status) {
        ridge_machine_free(m);
        return status;
    }
    *out = m;
    return RIDGE_OK;
}

void ridge_machine_free(ridge_machine *machine)
{
    free(machine);
}

const char *ridge_machine_id(const ridge_machine *machine)
{
    return machine->device ? machine->device->id : "given";
}

/* ---- Latencies ----------------------------------------------------------------------- */

ridge_status ridge_machine_load_latencies(ridge_machine *machine, ridge_error *err)
{
    ridge__atom found[RIDGE_ATOM_COUNT];
    const ridge__latencies *own = NULL;
    const char *arch = machine->device ? machine->device->arch : NULL;
    if (machine->atoms_loaded)
        return RIDGE_OK;
    for (size_t i = 0; i < RIDGE_ATOM_COUNT; i++) {
        ridge_status status =
            ridge__catalog_atom(&found[i], machine->catalog, arch, (ridge_atom)i, err);
        if (status)
            return status;
    }
    if (arch) {
        ridge_status status = ridge__catalog_latencies(&own, machine->catalog, arch, err);
        if (status)
            return status;
    }
    memcpy(machine->atom, found, sizeof found);
    machine->latencies = own;
    machine->atoms_loaded = true;
    ridge__machine_find_host(machine);
    return RIDGE_OK;
}

double ridge__machine_dram_latency(const ridge_machine *machine)
{
    const ridge__atom *atom = &machine->atom[RIDGE_ATOM_DRAM];
    const ridge__latency *row = atom->row;
    if (!row || row->unit == RIDGE_UNIT_S)
        return row ? row->figure.value : RIDGE_UNKNOWN;
    bool own = !atom->borrowed && ridge_known(row->clock_hz);
    return row->figure.value / (own ? row->clock_hz : machine->device->clock_boost.value);
}

/* ---- Peaks ------------------------------------------------------------------------- */

static ridge_fact peak_at(const ridge_machine *m, ridge_dtype dtype, ridge_pipe pipe,
                          ridge_dtype accumulator)
{
    if (accumulator == RIDGE_FP16 && pipe == RIDGE_MATRIX)
        return first_known(m->peak_acc16[dtype], m->peak[dtype][pipe]);
    return m->peak[dtype][pipe];
}

/* Vector work of a dtype without a rate of its own runs at that of fp16 if it is as
 * narrow, or of fp32; where neither is known, at the fastest known rate, so that a floor
 * stays one.  fp64 has no stand-in. */
static const ridge_fact *vector_fallback(const ridge_machine *m, ridge_dtype dtype)
{
    if (dtype == RIDGE_FP64)
        return NULL;
    const ridge_fact *best = &m->peak[RIDGE_FP32][RIDGE_VECTOR];
    if (ridge__dtype(dtype)->activation_bytes <= 2)
        best = faster(best, &m->peak[RIDGE_FP16][RIDGE_VECTOR]);
    if (ridge_known(best->value))
        return best;
    for (size_t i = 0; i < RIDGE_DTYPE_COUNT; i++)
        for (size_t p = 0; p < RIDGE_PIPE_COUNT; p++)
            best = faster(best, &m->peak[i][p]);
    return ridge_known(best->value) ? best : NULL;
}

void ridge__machine_stand_in(const ridge_machine *machine, ridge_dtype *dtype,
                             ridge_pipe *pipe)
{
    if (*pipe != RIDGE_VECTOR || ridge_known(machine->peak[*dtype][*pipe].value))
        return;
    const ridge_fact *found = vector_fallback(machine, *dtype);
    if (!found)
        return;
    size_t at = (size_t)(found - &machine->peak[0][0]);
    *dtype = (ridge_dtype)(at / RIDGE_PIPE_COUNT);
    *pipe = (ridge_pipe)(at % RIDGE_PIPE_COUNT);
}

ridge_fact ridge__machine_peak(const ridge_machine *machine, ridge_dtype dtype,
                               ridge_pipe pipe, ridge_dtype accumulator, ridge_pipe *used)
{
    ridge_pipe taken = pipe;
    ridge_fact fact;
    if (pipe == RIDGE_PIPE_ANY) {
        ridge_fact vector = peak_at(machine, dtype, RIDGE_VECTOR, accumulator);
        ridge_fact matrix = peak_at(machine, dtype, RIDGE_MATRIX, accumulator);
        bool on_matrix = ridge_known(matrix.value) &&
                         (!ridge_known(vector.value) || matrix.value >= vector.value);
        taken = on_matrix ? RIDGE_MATRIX : RIDGE_VECTOR;
        fact = on_matrix ? matrix : vector;
    } else {
        fact = peak_at(machine, dtype, pipe, accumulator);
        const ridge_fact *other = ridge_known(fact.value) || pipe != RIDGE_VECTOR
                                      ? NULL
                                      : vector_fallback(machine, dtype);
        if (other)
            fact = *other;
    }
    if (used)
        *used = taken;
    return fact;
}

bool ridge__machine_mma_sync(const ridge_machine *machine)
{
    /* PTX ISA, warp-level matrix instructions: sm_70 to sm_89 and sm_120; sm_90 and sm_100
     * have wgmma and tcgen05 beside them, which their attention is written for. */
    static const char *const archs[] = {"volta", "turing",       "ampere",
                                        "ada",   "ampere-ga10x", "blackwell-rtx"};
    const char *arch = machine->device ? machine->device->arch : NULL;
    for (size_t i = 0; arch && i < RIDGE__COUNT(archs); i++)
        if (strcmp(arch, archs[i]) == 0)
            return true;
    return false;
}

/* ---- Fits -------------------------------------------------------------------------- */

enum {
    ANY_BACKEND = -1
};

/* What may differ between a fit and the call that it answers. */
typedef struct freedom {
    int backend;      /* ANY_BACKEND: the library */
    bool other_cache; /* the dtype of the KV cache */
} freedom;

static bool answers(const ridge_fit *f, const ridge__fit_key *q, const char *op,
                    freedom leave)
{
    return f->form == q->form && (f->dtypes & 1u << q->dtype) &&
           (leave.other_cache || (f->kv_dtypes & 1u << q->kv_dtype)) &&
           (leave.backend == ANY_BACKEND || (int)f->backend == leave.backend) &&
           strcmp(f->op, op) == 0; /* last: it costs most */
}

/*
 * Fits of a link for the form of the call: a relative may stand for some forms alone, and
 * for single products without their batches, which another kernel runs.
 */
static size_t link_count(const ridge_machine *m, unsigned link, const ridge__fit_key *q)
{
    if (link != RIDGE_LINK_LIKE)
        return m->fits[link].count;
    int form = q->op && strcmp(q->op, "bmm") == 0 ? RIDGE_FIT_BATCH : (int)q->form;
    return m->like_for & 1u << form ? m->fits[link].count : 0;
}

/*
 * A fit of the op itself goes before one of its family, that before one of another op; the
 * kernel that the call names before the one that the library would take.
 */
static const ridge_fit *link_find(const ridge_machine *m, unsigned link,
                                  const ridge__fit_key *q, freedom leave)
{
    const char *const names[] = {q->op, q->family, q->stand_in};
    const size_t count = link_count(m, link, q);
    for (size_t n = 0; n < RIDGE__COUNT(names); n++) {
        const ridge_fit *usual = NULL;
        for (size_t i = 0; names[n] && i < count; i++) {
            const ridge_fit *f = &m->fits[link].fit[i];
            if (!answers(f, q, names[n], leave))
                continue;
            if (ridge__fit_named(f, &q->shape) && ridge__fit_takes(f, &q->shape, true))
                return f;
            if (!usual && ridge__fit_takes(f, &q->shape, false)) {
                usual = f;
                if (!q->shape.kernel)
                    return f;
            }
        }
        if (usual)
            return usual;
    }
    return NULL;
}

/* Links first to last. */
static const ridge_fit *chain_find(const ridge_machine *m, uint8_t first, uint8_t last,
                                   const ridge__fit_key *q, freedom leave, uint8_t *link)
{
    for (uint8_t l = first; l <= last; l++) {
        const ridge_fit *fit = link_find(m, l, q, leave);
        if (fit) {
            *link = leave.other_cache ? RIDGE_LINK_LIKE : l;
            return fit;
        }
    }
    return NULL;
}

/*
 * The chain: (user, part, architecture, its relative) with that backend, then with the
 * best one, then with any; then what the architecture or its relative knows of that
 * library with a cache of another dtype, as if it were a relative's; last "any" in the
 * order of the first.  Kernels of the stream form carry over from part to part, and
 * not from op to op: there the op itself is looked for in all of it before its family is.
 */
const ridge_fit *ridge__machine_fit(const ridge_machine *machine,
                                    const ridge__fit_key *key, uint8_t *link)
{
    const int backends[] = {(int)key->backend, RIDGE_BACKEND_BEST, ANY_BACKEND};
    static const struct {
        uint8_t first, last, backends;
        bool other_cache;
    } spans[] = {{RIDGE_LINK_USER, RIDGE_LINK_LIKE, RIDGE__COUNT(backends), false},
                 {RIDGE_LINK_ARCH, RIDGE_LINK_LIKE, 1, true},
                 {RIDGE_LINK_ANY, RIDGE_LINK_ANY, RIDGE__COUNT(backends), false}};
    const ridge_fit *fit = NULL;
    uint8_t found = RIDGE_LINK_STATED;
    ridge__fit_key own = *key;
    own.family = own.stand_in = NULL;
    for (size_t b = 0; key->carries && b < RIDGE__COUNT(backends) && !fit; b++)
        fit = chain_find(machine, RIDGE_LINK_USER, RIDGE_LINK_ANY, &own,
                         (freedom){backends[b], false}, &found);
    for (size_t s = 0; s < RIDGE__COUNT(spans) && !fit; s++)
        for (size_t b = 0; b < spans[s].backends && !fit; b++)
            fit = chain_find(machine, spans[s].first, spans[s].last, key,
                             (freedom){backends[b], spans[s].other_cache}, &found);
    if (link)
        *link = found;
    return fit;
}

/* As link_find, of any backend: which they are.  A library's kernel for one collective
 * stands beside NCCL's for the family. */
static uint32_t link_libraries(const ridge_machine *m, unsigned link,
                               const ridge__fit_key *q, bool other_cache)
{
    const char *const names[] = {q->op, q->family, q->stand_in};
    const size_t count = link_count(m, link, q);
    uint32_t found = 0;
    const size_t both = q->form == RIDGE_FIT_COLLECTIVE ? 2 : 0;
    for (size_t n = 0; n < RIDGE__COUNT(names) && (n < both || !found); n++)
        for (size_t i = 0; names[n] && i < count; i++) {
            const ridge_fit *f = &m->fits[link].fit[i];
            if (answers(f, q, names[n], (freedom){ANY_BACKEND, other_cache}) &&
                ridge__fit_takes(f, &q->shape, false))
                found |= 1u << f->backend;
        }
    return found;
}

uint32_t ridge__machine_libraries(const ridge_machine *machine, const ridge__fit_key *key)
{
    uint32_t first = 0;
    for (unsigned link = RIDGE_LINK_USER; link <= RIDGE_LINK_LIKE; link++) {
        uint32_t found = link_libraries(machine, link, key, false);
        if (found & 1u << RIDGE_BACKEND_BEST)
            return 0;
        first = first ? first : found;
    }
    for (unsigned link = RIDGE_LINK_ARCH; link <= RIDGE_LINK_LIKE && !first; link++)
        first = link_libraries(machine, link, key, true);
    if (!first) /* a stranger to all: which entry stands first in the file says nothing */
        first = link_libraries(machine, RIDGE_LINK_ANY, key, false);
    return first & 1u << RIDGE_BACKEND_BEST ? 0 : first;
}

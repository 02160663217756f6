/*
 * Several calls as one kernel.  docs/model/fuse.md has the rules and a worked number.
 */
#include "base/base.h"
#include "model/model.h"

#include <string.h>

/* Rows of the smallest product that matrix units take (m16n8k16, PTX ISA): what a block
 * must hold of a result whose rows it needs whole. */
static const double TILE_ROWS = 16;
/* The widest side of a tile that libraries ship: a row up to it lies in one tile. */
static const double TILE_SIDE = 256;
/* Sums of a product are kept in fp32. */
static const double SUM_BYTES = 4;
/* Nobody measured the fused kernel: its interval is this much wider (in log) than the
 * widest of its parts; as constants that are borrowed are. */
static const double WIDTH = 1.5;

static const char *const scopes[] = {
#define X(name, text) text,
    RIDGE_FUSE_SCOPE_MAP(X)
#undef X
};

const char *ridge_fuse_scope_name(ridge_fuse_scope scope)
{
    return (size_t)scope < RIDGE__COUNT(scopes) ? scopes[scope] : NULL;
}

static bool is_product(const ridge_call *call)
{
    return call->op->form != RIDGE_FORM_STREAM && call->op->form != RIDGE_FORM_CUSTOM;
}

/* ---- Links ------------------------------------------------------------------------- */

static double elements_of(const ridge_fusion *f, size_t i, size_t operand)
{
    return ridge__call_elements(&f->call[i], &f->part[i].work, operand);
}

/* As many elements, of one width: scales of narrow formats lie apart, and their share of a
 * byte is below a quarter. */
static bool alike(double elements, double other, double width, double other_width)
{
    const double rounding = 1e-9;
    return fabs(elements - other) <= rounding * elements &&
           floor(4 * width) == floor(4 * other_width);
}

/* The input of call i + 1 that operand `from` of call i can be: operand_count if none. */
static size_t find_input(const ridge_fusion *f, size_t i, size_t from)
{
    const ridge_op *op = f->call[i + 1].op;
    double elements = elements_of(f, i, from);
    double width = ridge__call_element_bytes(&f->call[i], from);
    for (size_t to = 0; to < op->operand_count; to++)
        if (!ridge__op_writes(op, to) &&
            alike(elements, elements_of(f, i + 1, to), width,
                  ridge__call_element_bytes(&f->call[i + 1], to)))
            return to;
    return op->operand_count;
}

/* The last result: rmsnorm_residual writes the residual before it. */
static size_t last_result(const ridge_op *op)
{
    size_t last = 0;
    for (size_t i = 0; i < op->operand_count; i++)
        if (ridge__op_writes(op, i))
            last = i;
    return last;
}

static ridge_status refuse(const ridge_fusion *f, size_t i, ridge_error *err)
{
    const ridge_op *from = f->call[i].op, *to = f->call[i + 1].op;
    size_t result = last_result(from);
    double made = elements_of(f, i, result), wanted = elements_of(f, i + 1, 0);
    if (!ridge_known(made) || !ridge_known(wanted))
        return ridge__error_set(err, RIDGE_INVALID,
                                "%s has no operands that are known, so that it is not "
                                "known what passes from %s to %s",
                                ridge_known(made) ? to->name : from->name, from->name,
                                to->name);
    if (made == wanted) {
        char one[32], other[32];
        ridge__number_format(one, ridge__call_element_bytes(&f->call[i], result), 4);
        ridge__number_format(other, ridge__call_element_bytes(&f->call[i + 1], 0), 4);
        return ridge__error_set(err, RIDGE_INVALID,
                                "%s writes %s in %s B per element, %s reads %s in %s B; "
                                "one dtype is wanted: see dtype_out and dtype",
                                from->name, from->operands[result], one, to->name,
                                to->operands[0], other);
    }
    return ridge__error_set(err, RIDGE_INVALID,
                            "%s writes %s of %.0f elements, %s reads %s of %.0f; the "
                            "result of each is an input of the next, so they must agree",
                            from->name, from->operands[result], made, to->name,
                            to->operands[0], wanted);
}

/* What of it a block must hold, and whether it can. */
static void find_scope(ridge_fuse_link *link, const ridge_fusion *f, size_t i)
{
    const ridge_call *from = &f->call[i], *to = &f->call[i + 1];
    double row = ridge__call_row(to);
    double width = ridge__call_element_bytes(from, link->from);
    if (to->op->needs == RIDGE_NEEDS_ALL) {
        link->scope = RIDGE_FUSE_ALL;
        link->on_chip_bytes = link->elements * width;
        link->fits = 0;
        return;
    }
    /* A product holds its sums in fp32, and what it reads as it comes. */
    if (is_product(from) && !is_product(to))
        width = SUM_BYTES;
    bool by_row = is_product(to) ? is_product(from) || from->op->needs == RIDGE_NEEDS_ROW
                                 : to->op->needs == RIDGE_NEEDS_ROW;
    if (is_product(from) || is_product(to)) {
        link->scope = by_row && row > TILE_SIDE ? RIDGE_FUSE_ROWS : RIDGE_FUSE_TILE;
        double side = link->scope == RIDGE_FUSE_ROWS ? row : ridge__min(row, TILE_SIDE);
        link->on_chip_bytes = TILE_ROWS * side * width;
    } else {
        link->scope = by_row ? RIDGE_FUSE_ROW : RIDGE_FUSE_ELEMENT;
        link->on_chip_bytes = by_row ? row * width : width;
    }
    bool small = link->scope == RIDGE_FUSE_ELEMENT || link->scope == RIDGE_FUSE_TILE;
    link->fits = small || link->on_chip_bytes <= f->shared_bytes;
    if (!small && !ridge_known(f->shared_bytes))
        link->fits = -1;
}

/* Results are looked at from the last: it is what an op is named for. */
static ridge_status find_link(ridge_fusion *f, size_t i, ridge_error *err)
{
    const ridge_op *op = f->call[i].op, *next = f->call[i + 1].op;
    ridge_fuse_link *link = &f->link[i];
    for (size_t from = op->operand_count; from-- > 0;) {
        if (!ridge__op_writes(op, from))
            continue;
        size_t to = find_input(f, i, from);
        if (to == next->operand_count)
            continue;
        link->from = from;
        link->to = to;
        link->elements = elements_of(f, i, from);
        link->written_bytes = f->part[i].work.operand_bytes[from];
        link->read_bytes = f->part[i + 1].work.operand_bytes[to];
        size_t inputs = ridge__op_param(next, "inputs", strlen("inputs"));
        if (inputs < next->param_count) /* one of several alike */
            link->read_bytes /= f->call[i + 1].arg[inputs];
        find_scope(link, f, i);
        return RIDGE_OK;
    }
    return refuse(f, i, err);
}

/* ---- Times ------------------------------------------------------------------------- */

/* What call i still moves through memory. */
static double left_bytes(const ridge_fusion *f, size_t i)
{
    double bytes = f->part[i].work.bytes;
    if (i > 0)
        bytes -= f->link[i - 1].read_bytes;
    if (i + 1 < f->count)
        bytes -= f->link[i].written_bytes;
    return ridge__max(bytes, 0);
}

/* Work of one pipe follows on itself; the pipes run beside each other. */
static void add_pipe(double by_pipe[RIDGE_PIPE_COUNT], const ridge_estimate *e,
                     double time_s)
{
    by_pipe[e->pipe < RIDGE_PIPE_COUNT ? e->pipe : RIDGE_VECTOR] += time_s;
}

static double longest(const double by_pipe[RIDGE_PIPE_COUNT])
{
    double most = 0;
    for (size_t i = 0; i < RIDGE_PIPE_COUNT; i++)
        most = ridge__max(most, by_pipe[i]);
    return most;
}

static void fill_floor(ridge_fusion *f)
{
    double compute[RIDGE_PIPE_COUNT] = {0}, memory_s = 0, wire_s = 0;
    for (size_t i = 0; i < f->count; i++) {
        const ridge_estimate *e = &f->part[i];
        double left = left_bytes(f, i);
        add_pipe(compute, e, e->compute_s);
        memory_s += left > 0 ? left / e->bandwidth_bytes_per_s : 0;
        wire_s += e->communication_s;
        f->bytes += left;
    }
    double compute_s = longest(compute);
    f->intensity = f->bytes > 0 ? f->flop / f->bytes : RIDGE_UNKNOWN;
    f->floor_s = ridge__max(ridge__max(compute_s, memory_s), wire_s);
    f->bound = compute_s >= memory_s ? RIDGE_BY_COMPUTE : RIDGE_BY_MEMORY;
    if (wire_s > ridge__max(compute_s, memory_s))
        f->bound = RIDGE_BY_COMMUNICATION;
}

/* The reachable time of a part's bytes, and what it takes beside them. */
static void split_body(const ridge_estimate *e, bool product, double *memory_s,
                       double *other_s)
{
    *memory_s = *other_s = 0;
    for (int i = 0; i < e->term_count; i++) {
        const ridge_term *t = &e->term[i];
        bool served =
            t->bound == RIDGE_BY_MEMORY && t->ceiling == e->bandwidth_bytes_per_s;
        if (served)
            *memory_s = ridge__max(*memory_s, t->time_s);
        else if (t->bound != RIDGE_BY_LATENCY)
            *other_s = ridge__max(*other_s, t->time_s);
    }
    /* The terms of a product overlap in part: where they outweigh its bytes, the body is
     * what they come to. */
    double fixed = e->latency_s - e->launch_s;
    if (product && *other_s >= *memory_s)
        *other_s = e->body_s - fixed;
}

/* Launch once, the longest prologue, and bytes and work that mostly overlap. */
static void fill_expected(ridge_fusion *f)
{
    double other[RIDGE_PIPE_COUNT] = {0}, memory_s = 0, fixed_s = 0, bodies_s = 0;
    double low = 1, high = 1;
    f->launch_s = 0;
    for (size_t i = 0; i < f->count; i++) {
        const ridge_estimate *e = &f->part[i];
        double part_memory_s, part_other_s;
        split_body(e, is_product(&f->call[i]), &part_memory_s, &part_other_s);
        if (e->work.bytes > 0)
            memory_s += part_memory_s * (left_bytes(f, i) / e->work.bytes);
        add_pipe(other, e, part_other_s);
        fixed_s = ridge__max(fixed_s, e->latency_s - e->launch_s);
        f->launch_s = ridge__max(f->launch_s, e->launch_s);
        bodies_s += e->body_s;
        low = ridge__min(low, e->low_s / e->expected_s);
        high = ridge__max(high, e->high_s / e->expected_s);
    }
    double other_s = longest(other);
    double moved_s = cbrt(memory_s * memory_s * memory_s + other_s * other_s * other_s);
    double body_s = ridge__min(ridge__max(fixed_s + moved_s, f->floor_s), bodies_s);
    f->expected_s = f->launch_s + body_s;
    f->low_s = ridge__min(ridge__max(f->expected_s * pow(low, WIDTH), f->floor_s),
                          f->expected_s);
    f->high_s = f->expected_s * pow(high, WIDTH);
    f->bound = other_s >= memory_s ? RIDGE_BY_COMPUTE : RIDGE_BY_MEMORY;
    if (f->launch_s + fixed_s > ridge__max(other_s, memory_s))
        f->bound = RIDGE_BY_LATENCY;
    f->warnings |= RIDGE_WARNING_BORROWED;
}

/* The sum over the calls, one after the other. */
static void fill_before(ridge_fusion *f)
{
    double by[RIDGE_BOUND_COUNT] = {0};
    double longest_s = -1;
    for (size_t i = 0; i < f->count; i++) {
        const ridge_estimate *e = &f->part[i];
        bool expected = ridge_known(e->expected_s);
        f->flop += e->work.flop;
        f->bytes_before += e->work.bytes;
        f->floor_before_s += e->floor_s;
        f->expected_before_s += e->expected_s;
        f->launch_before_s += e->launch_s;
        /* Whether latency rules is asked of the whole. */
        f->warnings |= e->warnings & ~(uint32_t)RIDGE_WARNING_LATENCY_BOUND;
        by[e->bound] += expected ? e->expected_s : e->floor_s;
        if (e->compute_s > longest_s) { /* the peak that most of the work runs at */
            longest_s = e->compute_s;
            f->ridge = e->ridge;
        }
    }
    f->intensity_before = f->bytes_before > 0 ? f->flop / f->bytes_before : RIDGE_UNKNOWN;
    for (int i = 1; i < RIDGE_BOUND_COUNT; i++)
        if (by[i] > by[f->bound_before])
            f->bound_before = (ridge_bound)i;
}

/* One call is what it was, to the last bit. */
static void fill_alone(ridge_fusion *f)
{
    const ridge_estimate *e = &f->part[0];
    f->bytes = e->work.bytes;
    f->intensity = e->intensity;
    f->floor_s = e->floor_s;
    f->expected_s = e->expected_s;
    f->low_s = e->low_s;
    f->high_s = e->high_s;
    f->launch_s = e->launch_s;
    f->bound = e->bound;
}

static void fill_refused(ridge_fusion *f)
{
    f->bytes = f->intensity = f->floor_s = RIDGE_UNKNOWN;
    f->expected_s = f->low_s = f->high_s = f->launch_s = RIDGE_UNKNOWN;
    f->bound = f->bound_before;
}

ridge_status ridge_fusion_find(ridge_fusion *out, const ridge_machine *machine,
                               const ridge_call *calls, size_t count, ridge_error *err)
{
    ridge_fusion f = {.count = count, .possible = true, .shared_bytes = RIDGE_UNKNOWN};
    if (count < 1 || count > RIDGE_FUSE_MAX)
        return ridge__error_set(err, RIDGE_LIMIT,
                                "1 to %d operations are wanted, not %zu", RIDGE_FUSE_MAX,
                                count);
    if (machine->device)
        f.shared_bytes =
            ridge__device_limit(machine->device, "shared_per_block_bytes").value;
    for (size_t i = 0; i < count; i++) {
        f.call[i] = calls[i];
        ridge_status status = ridge_estimate_call(&f.part[i], machine, &calls[i], err);
        if (status)
            return status;
    }
    for (size_t i = count - 1; i-- > 0;) { /* so that the first that fails is told */
        ridge_status status = find_link(&f, i, err);
        if (status)
            return status;
        if (f.link[i].fits == 0) {
            f.possible = false;
            f.refused = i;
        }
    }
    fill_before(&f);
    if (count == 1) {
        fill_alone(&f);
    } else if (!f.possible) {
        fill_refused(&f);
    } else {
        fill_floor(&f);
        if (ridge_known(f.expected_before_s))
            fill_expected(&f);
        else
            f.expected_s = f.low_s = f.high_s = f.launch_s = RIDGE_UNKNOWN;
    }
    if (f.bound == RIDGE_BY_LATENCY)
        f.warnings |= RIDGE_WARNING_LATENCY_BOUND;
    *out = f;
    return RIDGE_OK;
}

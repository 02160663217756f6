/* Stencils on a grid: each point read once, each written once, whatever the reach. */
#include "op/stream_priv.h"

enum {
    NZ = RIDGE_STREAM_PARAMS,
    RADIUS,
    SHAPE,
    BOUNDARY,
    PARAMS
};
enum {
    STAR,
    BOX
};
enum {
    PERIODIC,
    GHOST
};
static const ridge__param params[] = {
    [RIDGE_STREAM_ROWS] = RIDGE__PARAM_COUNT("ny", "rows", 1, 1, "lines of a plane"),
    [RIDGE_STREAM_COLS] = RIDGE__PARAM_SIZE("nx", "cols", "points of a line"),
    [RIDGE_STREAM_ELEMENTS] = RIDGE__PARAM_COUNT("elements", NULL, RIDGE_UNKNOWN, 1,
                                                 "all points: nx x ny x nz; follows"),
    RIDGE__STREAM_TYPES(RIDGE_VECTOR, "execution units; default: vector"),
    [NZ] = RIDGE__PARAM_COUNT("nz", NULL, 1, 1, "planes"),
    [RADIUS] = {.name = "radius",
                .kind = RIDGE_PARAM_COUNT,
                .unit = RIDGE_UNIT_COUNT,
                .fallback = 1,
                .min = 1,
                .max = 1024,
                .help = "points to each side"},
    [SHAPE] = RIDGE__PARAM_WORD("shape", "star box", STAR,
                                "along the axes alone, or all within the radius"),
    [BOUNDARY] = RIDGE__PARAM_WORD("boundary", "periodic ghost", PERIODIC,
                                   "the grid closes on itself, or ghost points around it "
                                   "are read"),
};

/* The extents; a dimension of one point is none. */
static int extents(const ridge_call *call, double out[3])
{
    static const uint8_t places[] = {RIDGE_STREAM_COLS, RIDGE_STREAM_ROWS, NZ};
    int count = 0;
    for (size_t i = 0; i < RIDGE__COUNT(places); i++)
        if (call->arg[places[i]] > 1)
            out[count++] = call->arg[places[i]];
    if (count == 0)
        out[count++] = 1;
    return count;
}

static double points(const ridge_call *call)
{
    double size[3], r = call->arg[RADIUS];
    int dims = extents(call, size);
    return call->arg[SHAPE] == BOX ? pow(2 * r + 1, dims) : 2 * r * dims + 1;
}

/* Ghost points that are read: faces of a star, the whole shell of a box. */
static double ghosts(const ridge_call *call)
{
    double size[3], r = call->arg[RADIUS], all = call->arg[RIDGE_STREAM_ELEMENTS];
    int dims = extents(call, size);
    double shell = 1, faces = 0;
    if (call->arg[BOUNDARY] == PERIODIC)
        return 0;
    for (int i = 0; i < dims; i++) {
        shell *= size[i] + 2 * r;
        faces += 2 * r * (all / size[i]);
    }
    return call->arg[SHAPE] == BOX ? shell - all : faces;
}

static double symbol(const ridge_call *call, const char *name, size_t size)
{
    if (ridge__text_is("points", name, size))
        return points(call);
    return ridge__text_is("ghosts", name, size) ? ghosts(call) : RIDGE_UNKNOWN;
}

static ridge_status finish(ridge_call *call, ridge_error *err)
{
    const double *a = call->arg;
    return ridge__grid_finish(call, a[RIDGE_STREAM_ROWS] * a[RIDGE_STREAM_COLS] * a[NZ],
                              "nx x ny x nz", err);
}

/* A product per point and the additions between them. */
static ridge_status count(ridge_work *work, const ridge_call *call, ridge_error *err)
{
    (void)err;
    double all = call->arg[RIDGE_STREAM_ELEMENTS];
    ridge__stream_work(work, call);
    work->flop = all * (2 * points(call) - 1);
    ridge__stream_operand(work, call, 0, all + ghosts(call));
    ridge__stream_operand(work, call, 1, all);
    return RIDGE_OK;
}

static const char *const operands[] = {"grid", "out"};

static const ridge_op ops[] = {{
    .name = "stencil",
    .family = "stencil",
    .needs = RIDGE_NEEDS_ALL,
    .title = "weighted sum of the neighbours, 1-D to 3-D, one step",
    .form = RIDGE_FORM_STREAM,
    .params = params,
    .param_count = PARAMS,
    .operands = operands,
    .operand_count = RIDGE__COUNT(operands),
    .element_bytes = ridge__stream_bytes,
    .results = 1,
    .count = count,
    .finish = finish,
    .symbol = symbol,
    .flop_formula = "{elements}*(2*{points} - 1)",
    .bytes_formula = "({elements} + {ghosts})*{sa} + {elements}*{sb}",
    .growth = "7 points of fp64: 13/16, constant in the grid; grows with the radius: "
              "(2 points - 1) / 16 of fp64",
    .not_counted = "planes read again where they leave the cache; coefficients",
    .assumes = "a product for each point: weights that are equal, or of a box that "
               "separates, need fewer",
    .source =
        "a product per point, an addition between two; points: 2 r d + 1 of a star, "
        "(2 r + 1)^d of a box; ghosts: around the grid, where they are read",
    .example = "nx=512 ny=512 nz=512 dtype=fp64",
    .stand_in = "elementwise",
}};

ridge__op_rows ridge__op_rows_stencil(void)
{
    return (ridge__op_rows){ops, RIDGE__COUNT(ops)};
}

/*
 * Blocks on a unit by the rules of NVIDIA's occupancy calculator (cuda_occupancy.h of the
 * CUDA toolkit), and Little's law for what they have in flight.  docs/model/occupancy.md
 * has each rule and worked numbers.
 */
#include "base/base.h"
#include "model/model.h"

/* Registers are given to a warp in units of 256 (compute capability 3.0 on). */
static const double REGISTER_UNIT = 256;
static const double REGISTER_BYTES = 4;
/* The most that an instruction can name (compute capability 3.2 on). */
static const double REGISTERS_MAX = 255;
/* Shared memory is given in units of 256 bytes, from 8.0 on of 128; and each block of
 * capability 8.0 on loses 1 KiB to the system. */
static const double SHARED_UNIT = 256, SHARED_UNIT_8 = 128, SHARED_RESERVED_8 = 1024;
/* One 16-byte load in flight for each thread, unless inflight= says otherwise. */
static const double IN_FLIGHT = 16;
/* The first capability that these rules are written for. */
static const double CAPABILITY_FIRST = 3, CAPABILITY_AMPERE = 8;

static const char *const words[] = {
#define X(name, word, text) word,
    RIDGE_OCCUPANCY_MAP(X)
#undef X
};

const char *ridge_occupancy_limit_name(ridge_occupancy_limit limit)
{
    return (size_t)limit < RIDGE__COUNT(words) ? words[limit] : NULL;
}

/* The limits of one unit; unknown where the part does not state them. */
typedef struct unit {
    double capability, warp_size, warps, blocks, block_threads;
    double registers, shared, block_shared;
    double partitions; /* of the register file */
} unit;

static double capability_of(const ridge_device *device)
{
    double value;
    const char *end;
    const char *text = device->capability;
    if (!text || strcmp(device->vendor, "NVIDIA") != 0 ||
        ridge__number_parse(&value, text, &end) || *end)
        return RIDGE_UNKNOWN;
    return value < CAPABILITY_FIRST ? RIDGE_UNKNOWN : value;
}

static double limit(const ridge_device *device, const char *name)
{
    return ridge__device_limit(device, name).value;
}

static unit unit_of(const ridge_device *device)
{
    unit u = {.capability = capability_of(device)};
    u.warp_size = limit(device, "warp_size");
    u.warps = limit(device, "warps");
    if (!ridge_known(u.warps))
        u.warps = limit(device, "threads") / u.warp_size;
    u.blocks = limit(device, "blocks");
    u.block_threads = limit(device, "threads_per_block");
    u.registers = limit(device, "registers_bytes") / REGISTER_BYTES;
    u.shared = limit(device, "shared_bytes");
    u.block_shared = limit(device, "shared_per_block_bytes");
    u.partitions = u.capability == 6.0 ? 2 : 4; /* GP100 has two */
    return u;
}

static double round_up(double value, double to)
{
    return ceil(value / to) * to;
}

/* ---- The four limits --------------------------------------------------------------- */

/* Warps take registers from one of the partitions, each a whole number of them. */
static double by_registers(const unit *u, double block_warps, double regs)
{
    double each = round_up(regs * u->warp_size, REGISTER_UNIT);
    double warps = floor(u->registers / u->partitions / each) * u->partitions;
    if (each * round_up(block_warps, u->partitions) > u->registers)
        return 0;
    return floor(warps / block_warps);
}

static double by_shared(const unit *u, double bytes)
{
    bool ampere = u->capability >= CAPABILITY_AMPERE;
    double each = bytes + (ampere ? SHARED_RESERVED_8 : 0);
    each = round_up(each, ampere ? SHARED_UNIT_8 : SHARED_UNIT);
    return each > 0 ? floor(u->shared / each) : INFINITY;
}

/* The smallest of the limits, the first of equals. */
static void find_blocks(ridge_occupancy *o, const unit *u, const ridge_call *call)
{
    const double *a = call->arg;
    double warps = ceil(a[RIDGE_CUSTOM_BLOCK] / u->warp_size);
    double regs = a[RIDGE_CUSTOM_REGS], smem = a[RIDGE_CUSTOM_SMEM];
    const double by[] = {
        [RIDGE_OCCUPANCY_BY_THREADS] = floor(u->warps / warps),
        [RIDGE_OCCUPANCY_BY_BLOCKS] = u->blocks,
        [RIDGE_OCCUPANCY_BY_REGISTERS] =
            ridge_known(regs) ? by_registers(u, warps, regs) : INFINITY,
        [RIDGE_OCCUPANCY_BY_SHARED] = by_shared(u, ridge_known(smem) ? smem : 0),
    };
    double most = INFINITY;
    for (size_t i = 0; i < RIDGE__COUNT(by); i++)
        if (!ridge_known(by[i]) || !ridge_known(u->capability))
            return; /* one unknown limit: the answer is unknown, not guessed */
        else if (by[i] < most) {
            most = by[i];
            o->limited_by = (ridge_occupancy_limit)i;
        }
    o->blocks_per_unit = most;
    o->warps_per_unit = most * warps;
    o->occupancy = o->warps_per_unit / u->warps;
}

/* A block that no unit can take is a mistake of the question. */
static ridge_status check_block(const unit *u, const ridge_call *call,
                                const ridge_machine *machine, ridge_error *err)
{
    const double *a = call->arg;
    const char *id = ridge_machine_id(machine);
    char asked[32], most[32];
    const struct {
        double asked, most;
        const char *key, *what;
    } checks[] = {
        {a[RIDGE_CUSTOM_BLOCK], u->block_threads, "block", "threads to a block"},
        {a[RIDGE_CUSTOM_REGS], ridge_known(u->capability) ? REGISTERS_MAX : RIDGE_UNKNOWN,
         "regs", "registers to a thread"},
        {a[RIDGE_CUSTOM_SMEM], u->block_shared, "smem",
         "bytes of shared memory to a block"},
    };
    for (size_t i = 0; i < RIDGE__COUNT(checks); i++) {
        if (!(checks[i].asked > checks[i].most))
            continue;
        ridge__number_shortest(asked, checks[i].asked);
        ridge__number_shortest(most, checks[i].most);
        return ridge__error_set(err, RIDGE_INVALID,
                                "%s=%s cannot run on %s: at most %s %s", checks[i].key,
                                asked, id, most, checks[i].what);
    }
    double warps = ceil(a[RIDGE_CUSTOM_BLOCK] / u->warp_size);
    if (by_registers(u, warps, a[RIDGE_CUSTOM_REGS]) < 1)
        return ridge__error_set(err, RIDGE_INVALID,
                                "regs=%.0f with block=%.0f cannot run on %s: no unit has "
                                "that many registers",
                                a[RIDGE_CUSTOM_REGS], a[RIDGE_CUSTOM_BLOCK], id);
    return RIDGE_OK;
}

/* ---- In flight --------------------------------------------------------------------- */

static void find_flight(ridge_occupancy *o, const ridge_machine *machine,
                        const ridge_call *call)
{
    const double *a = call->arg;
    double inflight = a[RIDGE_CUSTOM_INFLIGHT], grid = a[RIDGE_CUSTOM_GRID];
    double slots = machine->units.value * o->blocks_per_unit;
    o->latency_s = ridge__machine_dram_latency(machine);
    o->needed_bytes_in_flight = machine->dram.value * o->latency_s;
    o->waves = grid / slots;
    o->full_waves = ceil(o->waves);
    o->active_blocks = ridge_known(grid) ? ridge__min(grid, slots) : slots;
    o->bytes_in_flight = o->active_blocks * a[RIDGE_CUSTOM_BLOCK] *
                         (ridge_known(inflight) ? inflight : IN_FLIGHT);
    o->attainable_bytes_per_s = o->bytes_in_flight / o->latency_s;
}

ridge_status ridge__occupancy_find(ridge_occupancy *out, const ridge_machine *machine,
                                   const ridge_call *call, ridge_error *err)
{
    const double unknown = RIDGE_UNKNOWN;
    ridge_occupancy o = {.limited_by = RIDGE_OCCUPANCY_BY_UNKNOWN,
                         .blocks_per_unit = unknown,
                         .warps_per_unit = unknown,
                         .occupancy = unknown,
                         .waves = unknown,
                         .full_waves = unknown,
                         .active_blocks = unknown,
                         .bytes_in_flight = unknown,
                         .needed_bytes_in_flight = unknown,
                         .latency_s = unknown,
                         .attainable_bytes_per_s = unknown};
    o.asked =
        call->op->form == RIDGE_FORM_CUSTOM && ridge_known(call->arg[RIDGE_CUSTOM_BLOCK]);
    if (o.asked && machine->device) {
        unit u = unit_of(machine->device);
        ridge_status status = check_block(&u, call, machine, err);
        if (status)
            return status;
        find_blocks(&o, &u, call);
        find_flight(&o, machine, call);
    }
    *out = o;
    return RIDGE_OK;
}

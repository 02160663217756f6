/*
 * The tiles that libraries cut a matrix product into, and what else is known of their
 * kernels: tile.c alone includes this.
 */
#ifndef RIDGE_MODEL_TILES_H
#define RIDGE_MODEL_TILES_H

#include "base/base.h"
#include "model/model.h"

/* Extents of the tiles that libraries ship (256x256 in fp32 would fill a register file of
 * 256 KiB, and is a pair of CTAs where there is tensor memory), and the indices of them in a tile. */
enum {
    X16,
    X32,
    X64,
    X96,
    X128,
    X192,
    X256,
    EXTENTS
};

static const uint16_t EXTENT[EXTENTS] = {16, 32, 64, 96, 128, 192, 256};

typedef struct tile {
    uint16_t m, n;
    uint8_t extent_m, extent_n;
    uint8_t lower_m; /* extent of the next smaller m with the same n; its own: none */
    bool odd;        /* an extent is no power of two */
    double flop;     /* 2 m n, weighted by what a tile of this shape loses */
} tile;

/*
 * A tile loses the more the smaller it is: operands per FLOP grow as 1/m + 1/n.  Weight 1
 * at 256x128, which mma_share is the share of; the 8 is a fill of 8 elements an edge.
 */
#define TILE_FLOP(m, n) \
    (2.0 * (m) * (n) * (1 + 8.0 * (1.0 / (m) + 1.0 / (n))) / (1 + 8.0 * 3.0 / 256))
#define ODD(x) (((x) & ((x)-1)) != 0)
#define TILE(m, n, lower)                                                 \
    {                                                                     \
        m, n, X##m, X##n, X##lower, ODD(m) || ODD(n), TILE_FLOP((m), (n)) \
    }

static const tile TILES[] = {
    TILE(256, 128, 192), TILE(128, 256, 64),  TILE(128, 128, 64),  TILE(192, 128, 128),
    TILE(128, 192, 64),  TILE(256, 192, 128), TILE(192, 256, 128), TILE(96, 128, 64),
    TILE(128, 96, 128),  TILE(64, 256, 64),   TILE(256, 64, 192),  TILE(64, 192, 64),
    TILE(192, 64, 128),  TILE(64, 128, 32),   TILE(128, 64, 64),   TILE(64, 64, 32),
    TILE(32, 128, 16),   TILE(128, 32, 64),   TILE(16, 128, 16),   TILE(128, 16, 64),
    TILE(64, 32, 64),    TILE(32, 64, 16),    TILE(16, 64, 16),    TILE(64, 16, 64),
    TILE(32, 32, 32), /* of vector kernels alone: where the fit says what a tile holds */
};
enum {
    TILE_COUNT = (int)RIDGE__COUNT(TILES),
    COMMON_COUNT = TILE_COUNT - 1
};

/* Outputs of the CTAs that an SM holds at once: half of its registers. */
static const double WAVE_OUTPUTS = 32768;
/* 32 B of a row that starts anywhere lie in two sectors of 32 B, but for one start in 8. */
static const double SPLIT_SECTORS = 1.875;

/*
 * Kernels of batches that published tables name, by their hash: they run them for one
 * product too, whose time is then the batch's.
 */
static const uint32_t BATCH_KERNELS[] = {
    0x93102f51, /* mla_bmm:mla_gen_pre */
    0xe4899361, /* mla_bmm:mla_gen_post */
};

static bool is_batched(const ridge_call *call)
{
    if (call->arg[RIDGE_GEMM_BATCH] > 1)
        return true;
    for (size_t i = 0; call->kernel && i < RIDGE__COUNT(BATCH_KERNELS); i++)
        if (call->kernel == BATCH_KERNELS[i])
            return true;
    return false;
}

#endif

/*
 * The tiles that libraries cut a matrix product into, and what else is known of their
 * kernels: tile.c alone includes this.
 */
#ifndef RIDGE_MODEL_TILES_H
#define RIDGE_MODEL_TILES_H

#include "base/base.h"
#include "model/model.h"

/* Extents of the tiles that libraries ship (256x256 in fp32 would fill a register file of
 * 256 KiB, and is a pair of CTAs where there is tensor memory), and their indices. */
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

/*
 * Columns of one table, in lists of their own: the search runs down each of them, four
 * tiles at once.  After the common ones come a tile of vector kernels alone, where the fit
 * says what a tile holds, and three that are there to make a multiple of four.
 */
/* clang-format off */
#define TILES(F)                                                            \
    F(256, 128) F(128, 256) F(128, 128) F(192, 128) F(128, 192) F(256, 192) \
    F(192, 256) F(96, 128) F(128, 96) F(64, 256) F(256, 64) F(64, 192)      \
    F(192, 64) F(64, 128) F(128, 64) F(64, 64) F(32, 128) F(128, 32)        \
    F(16, 128) F(128, 16) F(64, 32) F(32, 64) F(16, 64) F(64, 16)           \
    F(32, 32) F(256, 256) F(256, 256) F(256, 256)
/* clang-format on */

/*
 * 2 m n, weighted by what a tile of this shape loses: the more the smaller it is, as
 * operands per FLOP grow as 1/m + 1/n.  Weight 1 at 256x128, which mma_share is the share
 * of; the 8 is a fill of 8 elements an edge.
 */
#define TILE_FLOP(m, n) \
    (2.0 * (m) * (n) * (1 + 8.0 * (1.0 / (m) + 1.0 / (n))) / (1 + 8.0 * 3.0 / 256))
#define TILE_IS_ODD(x) (((x) & ((x)-1)) != 0)

#define TILE_EACH_M(m, n)        m,
#define TILE_EACH_N(m, n)        n,
#define TILE_EACH_EXTENT_M(m, n) X##m,
#define TILE_EACH_EXTENT_N(m, n) X##n,
#define TILE_EACH_FLOP(m, n)     TILE_FLOP((m), (n)),
#define TILE_EACH_ODD(m, n)      TILE_IS_ODD(m) || TILE_IS_ODD(n),

static const double TILE_M[] = {TILES(TILE_EACH_M)};
static const double TILE_N[] = {TILES(TILE_EACH_N)};
static const uint8_t TILE_EXTENT_M[] = {TILES(TILE_EACH_EXTENT_M)};
static const uint8_t TILE_EXTENT_N[] = {TILES(TILE_EACH_EXTENT_N)};
static const double TILE_USUAL_FLOP[] = {TILES(TILE_EACH_FLOP)};
/* 1: an extent is no power of two. */
static const double TILE_ODD[] = {TILES(TILE_EACH_ODD)};

enum {
    COMMON_COUNT = 24,
    REAL_COUNT = 25,
    TILE_COUNT = (int)RIDGE__COUNT(TILE_M)
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

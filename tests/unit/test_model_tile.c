/* The tile form against arithmetic done by hand. */
#include "model_calls.h"

/* A part of round numbers: 10 SMs of 0.1 TFLOP/s, 1 GHz, 3 GB/s, no L2. */
static ridge_machine round_machine(void)
{
    ridge_machine m = {.units.value = 10,
                       .clock_matrix_hz = 1e9,
                       .clock_vector_hz = 1e9,
                       .dram.value = 3e9,
                       .l2_capacity.value = RIDGE_UNKNOWN};
    return m;
}

/* Constants that take nothing away, but for fixed costs of 1 us and a launch of 2 us. */
static ridge_fit round_fit(void)
{
    ridge_fit fit = {0};
    for (size_t i = 0; i < RIDGE_FIT_CONSTANTS; i++)
        fit.c[i] = RIDGE_UNKNOWN;
    fit.c[RIDGE_TILE_LAUNCH_GRAPH] = 2e-6;
    fit.c[RIDGE_TILE_FIXED] = 1e-6;
    fit.c[RIDGE_TILE_MMA_SHARE] = 1;
    fit.c[RIDGE_TILE_DRAM_SHARE] = 1;
    fit.c[RIDGE_TILE_FEED] = 1000;
    fit.c[RIDGE_TILE_EPILOGUE] = 1000;
    fit.c[RIDGE_TILE_WAVE_SMOOTHING] = 0;
    fit.c[RIDGE_TILE_STORE_WEIGHT] = 1;
    fit.c[RIDGE_TILE_POWER_DERATE] = 0;
    fit.c[RIDGE_TILE_L2_HOLD] = 1;
    return fit;
}

static ridge_estimate run(const ridge_machine *machine, const ridge_fit *fit,
                          ridge_call call)
{
    ridge_estimate e = {.pipe = RIDGE_MATRIX,
                        .peak_flop_per_s = 1e12,
                        .bandwidth_bytes_per_s = machine->dram.value};
    assert_int_equal(ridge_op_count(&e.work, &call, NULL), RIDGE_OK);
    ridge__form_input in = {machine, &call, fit, false, NULL};
    ridge__form_tile(&e, &in);
    return e;
}

static void one_wave_by_hand(void **state)
{
    (void)state;
    /*
     * m=512 n=256 k=1024, tile 256x128: 2 x 2 = 4 CTAs on 10 SMs, one wave.
     *   product   2 x 256 x 128 x 1024 = 67,108,864 FLOP at 1e11 an SM: 671.08864 us
     *   feed      (256 + 128) x 2 B x 1024 = 786,432 B at 1e12 B/s: 0.786432 us, hidden
     *   store     256 x 128 x 2 B = 65,536 B at 1e12 B/s: 0.065536 us
     *   grid      671.08864 + 0.065536 = 671.154176 us
     *   dram      2 B x (512 x 1024 + 1024 x 256 + 512 x 256) = 1,835,008 B at 3e9 B/s:
     *             611.669333 us (no L2: all of it misses)
     *   overlap   (671.154176^4 + 611.669333^4)^(1/4) = 765.220649 us
     *   body      1 + 765.220649; launch 2; latency 1 + 2
     */
    ridge_machine machine = round_machine();
    ridge_fit fit = round_fit();
    ridge_call call = model_call("gemm m=512 n=256 k=1024 dtype=bf16");
    call.tile_m = 256;
    call.tile_n = 128;
    ridge_estimate e = run(&machine, &fit, call);
    assert_close(e.body_s, 766.220649e-6, 1e-9);
    assert_close(e.launch_s, 2e-6, 1e-12);
    assert_close(e.latency_s, 3e-6, 1e-12);
    assert_close(e.plan.ctas, 4, 0);
    assert_close(e.plan.waves, 0.4, 1e-12);
    /* One wave of 10 SMs in which 4 work: 0.4 of 1e12. */
    assert_close(e.plan.ceiling_flop_per_s, 0.4e12, 1e-12);
}

static void waves_whole_and_smooth(void **state)
{
    (void)state;
    /* 3 x 4 = 12 CTAs on 10 SMs: two waves whole, 1.2 if persistent, 1.6 half way. */
    ridge_machine machine = round_machine();
    machine.dram.value = 1e15; /* out of the way */
    ridge_fit fit = round_fit();
    ridge_call call = model_call("gemm m=768 n=512 k=1024 dtype=bf16");
    call.tile_m = 256;
    call.tile_n = 128;
    double wave_s = 671.154176e-6;
    fit.c[RIDGE_TILE_WAVE_SMOOTHING] = 0.5; /* --tile asks for whole waves all the same */
    ridge_estimate whole = run(&machine, &fit, call);
    assert_close(whole.body_s - 1e-6, 2 * wave_s, 1e-9);
    /* Without --tile the smoothing holds; 256x128 is then one of many candidates. */
    call.tile_m = call.tile_n = 0;
    ridge_estimate best = run(&machine, &fit, call);
    assert_true(best.body_s - 1e-6 <= 1.6 * wave_s * (1 + 1e-12));
}

static void split_pays_when_the_grid_is_small(void **state)
{
    (void)state;
    /* One 64x64 output with k = 65536: one CTA, unless k is split among the ten SMs. */
    ridge_machine machine = round_machine();
    machine.dram.value = 1e15;
    ridge_fit fit = round_fit();
    ridge_call call = model_call("gemm m=64 n=64 k=65536 dtype=bf16");
    ridge_estimate alone = run(&machine, &fit, call);
    fit.c[RIDGE_TILE_MAX_SPLIT] = 32;
    fit.c[RIDGE_TILE_SPLIT_FIXED] = 5e-6;
    ridge_estimate split = run(&machine, &fit, call);
    assert_int_equal(alone.plan.split, 1);
    assert_true(split.plan.split > 1 && split.body_s < alone.body_s / 2);
    fit.c[RIDGE_TILE_SPLIT_FIXED] = 1; /* a reduction of a second pays for nothing */
    assert_int_equal(run(&machine, &fit, call).plan.split, 1);
}

static void quantisation_is_a_pass_of_its_own(void **state)
{
    (void)state;
    /* fp8: m k (2 + 1) B = 1000 x 1000 x 3 at 1e12 B/s = 3 us, and 4 us fixed. */
    ridge_machine machine = round_machine();
    ridge_fit fit = round_fit();
    ridge_call call = model_call("gemm m=1000 n=1000 k=1000 dtype=fp8");
    ridge_estimate plain = run(&machine, &fit, call);
    fit.c[RIDGE_TILE_QUANT_FIXED] = 4e-6;
    fit.c[RIDGE_TILE_QUANT_RATE] = 1e12;
    ridge_estimate e = run(&machine, &fit, call);
    assert_close(e.body_s - plain.body_s, 7e-6, 1e-9);
    assert_close(e.latency_s - plain.latency_s, 4e-6, 1e-9);
}

static void quantised_rows_cost_beside_their_bytes(void **state)
{
    (void)state;
    /* 1000 rows at 6 ns: 6 us beside the 3 us of their bytes; a batch has its own pass. */
    ridge_machine machine = round_machine();
    ridge_fit fit = round_fit();
    fit.c[RIDGE_TILE_QUANT_RATE] = 1e12;
    ridge_call call = model_call("gemm m=1000 n=1000 k=1000 dtype=fp8");
    ridge_call batch = model_call("gemm m=1000 n=1000 k=1000 batch=2 dtype=fp8");
    ridge_estimate plain = run(&machine, &fit, call);
    ridge_estimate plain_batch = run(&machine, &fit, batch);
    fit.c[RIDGE_TILE_QUANT_ROW] = 6e-9;
    assert_close(run(&machine, &fit, call).body_s - plain.body_s, 6e-6, 1e-9);
    assert_close(run(&machine, &fit, batch).body_s, plain_batch.body_s, 0);
}

static void a_named_batch_kernel_takes_one_product_as_a_batch(void **state)
{
    (void)state;
    static const char *const names[] = {"mla_bmm:mla_gen_pre", "mla_bmm:mla_gen_post"};
    ridge_machine machine = round_machine();
    ridge_fit fit = round_fit();
    fit.c[RIDGE_TILE_FIXED_BATCHED] = 3e-6;
    fit.c[RIDGE_TILE_QUANT_FIXED] = 7e-6;
    fit.c[RIDGE_TILE_QUANT_RATE] = 1e12;
    ridge_call call = model_call("gemm m=512 n=256 k=1024 dtype=fp8");
    ridge_estimate one = run(&machine, &fit, call);
    assert_string_equal(ridge__tile_fit(&call), "gemm");
    for (size_t i = 0; i < RIDGE__COUNT(names); i++) {
        call.kernel = ridge__hash_name(names[i], strlen(names[i]));
        ridge_estimate named = run(&machine, &fit, call);
        assert_string_equal(ridge__tile_fit(&call), "bmm");
        /* 3 us instead of 1, and neither 7 us nor 512 x 1024 x (2 + 1) B at 1e12 B/s. */
        assert_close(named.body_s, one.body_s + 2e-6 - 7e-6 - 1.572864e-6, 1e-9);
    }
    call.kernel = ridge__hash_name("torch_flow", strlen("torch_flow"));
    assert_string_equal(ridge__tile_fit(&call), "gemm");
}

static void a_step_has_a_least_time(void **state)
{
    (void)state;
    /* k=8192 bf16 is 128 steps of 64; at 500 cycles of 1 GHz each 64 us, against 2 x 16 x
     * 64 x 8192 x g / 1e11 = 168 us x g of a 16x64 tile; at 5000 cycles 640 us. */
    ridge_machine machine = round_machine();
    machine.dram.value = 1e15;
    ridge_fit fit = round_fit();
    ridge_call call = model_call("gemm m=16 n=64 k=8192 dtype=bf16");
    call.tile_m = 16;
    call.tile_n = 64;
    double free_s = run(&machine, &fit, call).body_s;
    fit.c[RIDGE_TILE_STEP_CYCLES] = 500;
    assert_close(run(&machine, &fit, call).body_s, free_s, 0);
    fit.c[RIDGE_TILE_STEP_CYCLES] = 5000;
    double store_s = 16 * 64 * 2 / 1e12;
    assert_close(run(&machine, &fit, call).body_s, 1e-6 + 640e-6 + store_s, 1e-9);
    call.tile_m = call.tile_n = 0; /* the search sees the same */
    assert_close(run(&machine, &fit, call).body_s, 1e-6 + 640e-6 + store_s, 1e-9);
}

static void small_tiles_can_be_missing(void **state)
{
    (void)state;
    /* 512 x 512: small tiles keep ten SMs busy; a library without them leaves six idle. */
    ridge_machine machine = round_machine();
    machine.dram.value = 1e15;
    ridge_fit fit = round_fit();
    ridge_call call = model_call("gemm m=256 n=256 k=4096 dtype=bf16");
    ridge_estimate all = run(&machine, &fit, call);
    fit.c[RIDGE_TILE_LEAST_ROWS] = fit.c[RIDGE_TILE_LEAST_COLS] = 128;
    ridge_estimate large = run(&machine, &fit, call);
    assert_true(all.plan.tile_m * all.plan.tile_n < 128 * 128);
    assert_true(large.plan.tile_m >= 128 && large.plan.tile_n >= 128);
    assert_true(large.body_s > all.body_s);
    /* A product with fewer rows still gets a tile that covers them. */
    ridge_call small = model_call("gemm m=40 n=20 k=4096 dtype=bf16");
    ridge_estimate cover = run(&machine, &fit, small);
    assert_true(cover.plan.tile_m >= 40 && cover.plan.tile_n >= 20);
    /* The largest limits leave a tile. */
    fit.c[RIDGE_TILE_LEAST_ROWS] = 256;
    assert_int_equal(run(&machine, &fit, call).plan.tile_m, 256);
}

static void tiles_lie_within_what_the_fit_says(void **state)
{
    (void)state;
    /* A library with one kernel takes it for any product, however small. */
    ridge_machine machine = round_machine();
    ridge_fit fit = round_fit();
    ridge_call call = model_call("gemm m=20 n=20 k=4096 dtype=fp32");
    fit.c[RIDGE_TILE_LEAST_AREA] = fit.c[RIDGE_TILE_MOST_AREA] = 128 * 64;
    fit.c[RIDGE_TILE_MOST_ROWS] = 64;
    fit.c[RIDGE_TILE_MOST_COLS] = 128;
    ridge_estimate one = run(&machine, &fit, call);
    assert_int_equal(one.plan.tile_m, 64);
    assert_int_equal(one.plan.tile_n, 128);
    /* Tiles of 32x32 are vector kernels': only a fit that says its bounds has them. */
    fit.c[RIDGE_TILE_LEAST_AREA] = fit.c[RIDGE_TILE_MOST_AREA] = 32 * 32;
    fit.c[RIDGE_TILE_MOST_ROWS] = fit.c[RIDGE_TILE_MOST_COLS] = 32;
    assert_int_equal(run(&machine, &fit, call).plan.tile_m, 32);
    /* A shorter tile takes another's place only if the library has it. */
    call = model_call("gemm m=60 n=4096 k=4096 dtype=fp32");
    fit.c[RIDGE_TILE_LEAST_AREA] = fit.c[RIDGE_TILE_MOST_AREA] = 128 * 128;
    fit.c[RIDGE_TILE_MOST_ROWS] = fit.c[RIDGE_TILE_MOST_COLS] = 128;
    assert_int_equal(run(&machine, &fit, call).plan.tile_m, 128);
}

static void later_waves_read_again(void **state)
{
    (void)state;
    /* Ten SMs hold 327,680 outputs: of 1024 x 1024 0.6875 come later.  Tiles of 64 x 64 pull
     * 2^30 x 8 / 64 = 134,217,728 B; half of it again: 46,137,344 B, beside 3 x 4 MiB. */
    ridge_machine machine = round_machine();
    machine.dram.value = 3e6;
    ridge_fit fit = round_fit();
    fit.c[RIDGE_TILE_LEAST_AREA] = fit.c[RIDGE_TILE_MOST_AREA] = 64 * 64;
    fit.c[RIDGE_TILE_REREAD] = 0.5;
    ridge_call call = model_call("gemm m=1024 n=1024 k=1024 dtype=fp32");
    assert_close(run(&machine, &fit, call).body_s, 1e-6 + 58720256 / 3e6, 1e-6);
    fit.c[RIDGE_TILE_REREAD] = RIDGE_UNKNOWN;
    assert_close(run(&machine, &fit, call).body_s, 1e-6 + 12582912 / 3e6, 1e-6);
    /* Rows of 1023 elements lie in 15/8 as many sectors; their tiles pull 134,086,656 B. */
    fit.c[RIDGE_TILE_REREAD] = 0.5;
    call = model_call("gemm m=1024 n=1024 k=1023 dtype=fp32");
    double moved = 2 * 1024 * 1023 * 4 + 4194304 + 134086656 * 0.5 * 0.6875 * 1.875;
    assert_close(run(&machine, &fit, call).body_s, 1e-6 + moved / 3e6, 1e-6);
    /* One wave reads all once. */
    call = model_call("gemm m=512 n=512 k=1024 dtype=fp32");
    assert_close(run(&machine, &fit, call).body_s, 1e-6 + 5242880 / 3e6, 1e-6);
}

static void ports_grow_with_the_pipe(void **state)
{
    (void)state;
    /* 1e12 FLOP/s over 10 units of 1 GHz is 100 FLOP a cycle: constants that hold at 50
     * are doubled, and a grid bound by its stores takes half as long. */
    ridge_machine machine = round_machine();
    machine.dram.value = 1e15;
    ridge_fit fit = round_fit();
    fit.c[RIDGE_TILE_FIXED] = 0;
    fit.c[RIDGE_TILE_FEED] = 0.001;
    fit.c[RIDGE_TILE_EPILOGUE] = 0.001;
    ridge_call call = model_call("gemm m=256 n=128 k=64 dtype=bf16");
    double plain_s = run(&machine, &fit, call).body_s;
    fit.c[RIDGE_TILE_AT_FLOP] = 50;
    assert_close(run(&machine, &fit, call).body_s, plain_s / 2, 1e-9);
    fit.c[RIDGE_TILE_AT_FLOP] = 100;
    assert_close(run(&machine, &fit, call).body_s, plain_s, 1e-12);
}

static void power_slows_long_products(void **state)
{
    (void)state;
    /* F = 2 x 4096^3 = 1.374e11 FLOP at 1e12: 137 ms, x = 137.4e-3 / 0.3e-3 = 458, so the
     * derate is 0.1 x 458 / 459 = 0.09978 and the grid takes 1 / (1 - 0.09978) longer. */
    ridge_machine machine = round_machine();
    machine.dram.value = 1e18;
    ridge_fit fit = round_fit();
    fit.c[RIDGE_TILE_EPILOGUE] = 1e12;
    ridge_call call = model_call("gemm m=4096 n=4096 k=4096 dtype=bf16");
    call.tile_m = 256;
    call.tile_n = 128;
    double cool = run(&machine, &fit, call).body_s - 1e-6;
    fit.c[RIDGE_TILE_POWER_DERATE] = 0.1;
    ridge_estimate e = run(&machine, &fit, call);
    assert_close((e.body_s - 1e-6) / cool, 1 / (1 - 0.0997822), 1e-6);
    assert_true(e.warnings & RIDGE_WARNING_POWER_LIMITED);
}

static void fewer_watts_slow_long_products_more(void **state)
{
    (void)state;
    /* The same 137 ms.  1e12 FLOP/s of two bytes at 25 W are 12.5 W per TFLOP/s and byte:
     * half of the fit's 25.  The clock falls to 0.9 x sqrt(1/2) = 0.6364, so the derate is
     * 0.3636 x 458 / 459 (y = F / (P x 0.3 ms) = 458.13) = 0.36281.  With four times the
     * watts it is 0.9 x sqrt(2) > 1: nothing is lost. */
    ridge_machine machine = round_machine();
    machine.dram.value = 1e18;
    machine.board_w = 25;
    ridge_fit fit = round_fit();
    fit.c[RIDGE_TILE_EPILOGUE] = 1e12;
    ridge_call call = model_call("gemm m=4096 n=4096 k=4096 dtype=bf16");
    call.tile_m = 256;
    call.tile_n = 128;
    double cool = run(&machine, &fit, call).body_s - 1e-6;
    fit.c[RIDGE_TILE_POWER_DERATE] = 0.1;
    fit.c[RIDGE_TILE_AT_WATTS] = 25;
    double slow = run(&machine, &fit, call).body_s - 1e-6;
    assert_close(slow / cool, 1 / (1 - 0.3628122), 1e-6);
    machine.board_w = 100;
    assert_close(run(&machine, &fit, call).body_s - 1e-6, cool, 1e-12);
    machine.board_w = RIDGE_UNKNOWN; /* then as fitted */
    slow = run(&machine, &fit, call).body_s - 1e-6;
    assert_close(slow / cool, 1 / (1 - 0.0997822), 1e-6);
}

static void sustained_clock_goes_by_watts_alone(void **state)
{
    (void)state;
    /* 1e12 FLOP/s at 1 GHz are 1000 FLOP a cycle of two bytes: 32 W are 16 mW for each, and
     * 0.3 GHz at 1 mW become 0.3 x 16^(1/4) = 0.6 GHz: 0.4 x 458.13 / 459.13 are lost. */
    ridge_machine machine = round_machine();
    machine.dram.value = 1e18;
    machine.board_w = 32;
    ridge_fit fit = round_fit();
    fit.c[RIDGE_TILE_EPILOGUE] = fit.c[RIDGE_TILE_FEED] = 1e12;
    ridge_call call = model_call("gemm m=4096 n=4096 k=4096 dtype=bf16");
    call.tile_m = 256;
    call.tile_n = 128;
    double cool = run(&machine, &fit, call).body_s - 1e-6;
    fit.c[RIDGE_TILE_LIMIT_CLOCK] = 0.3e9;
    double slow = run(&machine, &fit, call).body_s - 1e-6;
    assert_close(slow / cool, 1 / (1 - 0.4 * 458.1298 / 459.1298), 1e-6);
    machine.board_w = 512; /* 0.3 x 256^(1/4) = 1.2 GHz, above the clock */
    assert_close(run(&machine, &fit, call).body_s - 1e-6, cool, 1e-12);
    machine.board_w = RIDGE_UNKNOWN;
    assert_close(run(&machine, &fit, call).body_s - 1e-6, cool, 1e-12);
}

static void fixed_times_follow_the_clock(void **state)
{
    (void)state;
    /* Fitted at 2 GHz: on 1 GHz the launch of 2 us and the prologue of 1 us double. */
    ridge_machine machine = round_machine();
    ridge_fit fit = round_fit();
    ridge_call call = model_call("gemm m=256 n=128 k=64 dtype=bf16");
    ridge_estimate plain = run(&machine, &fit, call);
    fit.c[RIDGE_TILE_AT_CLOCK] = 2e9;
    ridge_estimate slower = run(&machine, &fit, call);
    assert_close(slower.launch_s, 4e-6, 1e-12);
    assert_close(slower.body_s, plain.body_s + 1e-6, 1e-9);
}

static void tiles_of_powers_of_two_alone(void **state)
{
    (void)state;
    /* 960 x 128 on ten SMs: ten tiles of 96 x 128 fill them; of 128 x 128 there are eight,
     * and a fit without 96 and 192 finds none that divides the work better. */
    ridge_machine machine = round_machine();
    machine.dram.value = 1e15;
    ridge_fit fit = round_fit();
    fit.c[RIDGE_TILE_LEAST_ROWS] = fit.c[RIDGE_TILE_LEAST_COLS] = 64;
    ridge_call call = model_call("gemm m=960 n=128 k=4096 dtype=bf16");
    ridge_estimate any = run(&machine, &fit, call);
    assert_int_equal(any.plan.tile_m, 96);
    fit.c[RIDGE_TILE_ODD_TILES] = 0;
    ridge_estimate even = run(&machine, &fit, call);
    assert_true(even.plan.tile_m == 128 || even.plan.tile_m == 64);
    assert_true(even.body_s > any.body_s);
}

static void power_is_what_the_part_pays_for(void **state)
{
    (void)state;
    /* 100 W at 5 GFLOP a joule sustain half of 1 TFLOP/s: as long a product as above
     * takes 1 / (1 - 0.5 x 458.13 / 459.13) = 1.99565 times as long; 300 W sustain all. */
    ridge_machine machine = round_machine();
    machine.board_w = 100;
    machine.dram.value = 1e18;
    ridge_fit fit = round_fit();
    fit.c[RIDGE_TILE_EPILOGUE] = 1e12;
    ridge_call call = model_call("gemm m=4096 n=4096 k=4096 dtype=bf16");
    call.tile_m = 256;
    call.tile_n = 128;
    double cool = run(&machine, &fit, call).body_s - 1e-6;
    fit.c[RIDGE_TILE_FLOP_PER_J] = 5e9;
    assert_close((run(&machine, &fit, call).body_s - 1e-6) / cool, 1.99565, 1e-5);
    machine.board_w = 300;
    assert_close(run(&machine, &fit, call).body_s - 1e-6, cool, 1e-12);
}

static void rows_far_apart_and_odd_rows_cost(void **state)
{
    (void)state;
    ridge_machine machine = round_machine();
    ridge_fit fit = round_fit();
    ridge_call call = model_call("gemm m=256 n=128 k=4096 dtype=fp32");
    call.tile_m = 256;
    call.tile_n = 128;
    fit.c[RIDGE_TILE_FIXED] = 0;
    fit.c[RIDGE_TILE_MMA_SHARE] = 1e9; /* DRAM alone is left */
    fit.c[RIDGE_TILE_FEED] = fit.c[RIDGE_TILE_EPILOGUE] = 1e12;
    double near = run(&machine, &fit, call).body_s;
    /* Rows of 16 KiB where 32 KiB cost half of 5 more: 1 + 5 / (1 + 2^2) = 2. */
    fit.c[RIDGE_TILE_STRIDE_COST] = 5;
    fit.c[RIDGE_TILE_STRIDE_REACH] = 32768;
    assert_close(run(&machine, &fit, call).body_s / near, 2, 1e-9);

    fit = round_fit();
    fit.c[RIDGE_TILE_FIXED] = 0;
    fit.c[RIDGE_TILE_EPILOGUE] = 1e12;
    machine.dram.value = 1e18;
    fit.c[RIDGE_TILE_UNALIGNED] = 1.25;
    double even = run(&machine, &fit, call).body_s;
    ridge_call odd = model_call("gemm m=256 n=126 k=4096 dtype=fp32"); /* 504 B a row */
    odd.tile_m = 256;
    odd.tile_n = 128;
    assert_close(run(&machine, &fit, odd).body_s / even, 1.25, 1e-9);
    /* And a library may have smaller tiles alone for them. */
    odd.tile_m = odd.tile_n = 0;
    fit.c[RIDGE_TILE_LEAST_AREA] = fit.c[RIDGE_TILE_ODD_AREA] = 4096;
    ridge_estimate e = run(&machine, &fit, odd);
    assert_int_equal(e.plan.tile_m * e.plan.tile_n, 4096);
}

static void a_tile_loses_what_the_fit_says(void **state)
{
    (void)state;
    /* 128x128 against 256x128 at a fill of 64: (1 + 64 / 64) / (1 + 64 x 3 / 256) = 8/7. */
    ridge_machine machine = round_machine();
    ridge_fit fit = round_fit();
    ridge_call call = model_call("gemm m=128 n=128 k=4096 dtype=bf16");
    fit.c[RIDGE_TILE_FIXED] = 0;
    fit.c[RIDGE_TILE_EPILOGUE] = 1e12;
    fit.c[RIDGE_TILE_FILL] = 64;
    machine.dram.value = 1e18;
    call.tile_m = call.tile_n = 128;
    /* 2 x 128 x 128 x 4096 FLOP at 1e11 an SM: 1342.17728 us. */
    assert_close(run(&machine, &fit, call).body_s, 1342.17728e-6 * 8 / 7, 1e-9);
}

static void ceiling_of_a_given_tile(void **state)
{
    (void)state;
    /* 3456 x 4096 in 256x128: 14 x 32 = 448 CTAs on 108 SMs, 4.148 waves, so 5:
     * F / (5 x 108 x 2 x 256 x 128 x 8192 / 312e12) = 249.6 TFLOP/s. */
    model_machine m = model_machine_of("a100-sxm-40", NULL);
    ridge_call call = model_call("gemm m=3456 n=4096 k=8192 dtype=fp16 dtype_out=fp32");
    call.tile_m = 256;
    call.tile_n = 128;
    ridge_estimate e;
    assert_int_equal(ridge_estimate_call(&e, m.machine, &call, NULL), RIDGE_OK);
    assert_close(e.floor_s, 743.36e-6, 5e-3);
    assert_close(e.plan.waves, 448.0 / 108, 1e-12);
    assert_close(e.plan.ceiling_flop_per_s, 249.6e12, 1e-3);
    assert_int_equal(e.bound, RIDGE_BY_COMPUTE);
    model_machine_clear(&m);
}

static void a_second_product_costs_time(void **state)
{
    (void)state;
    /* 13.6 MB of weights, cold for one product; two of them might lie in L2, but no less
     * than the first is moved.  Found by the property of more work. */
    model_machine m = model_machine_of("h100-sxm", NULL);
    ridge_call one = model_call("gemm m=1 n=517 k=13167 dtype=bf16");
    ridge_call two = model_call("gemm m=1 n=517 k=13167 batch=2 dtype=bf16");
    one.backend = two.backend = RIDGE_BACKEND_SGLANG;
    ridge_estimate a, b;
    assert_int_equal(ridge_estimate_call(&a, m.machine, &one, NULL), RIDGE_OK);
    assert_int_equal(ridge_estimate_call(&b, m.machine, &two, NULL), RIDGE_OK);
    assert_true(b.expected_s >= a.expected_s);
    model_machine_clear(&m);
}

/* More CTAs than an int64_t counts: the waves take no less than the product at the peak,
 * but for the 3 % that a 256x256 tile is better than the 256x128 of mma_share. */
static void a_grid_beyond_integers_is_estimated(void **state)
{
    (void)state;
    ridge_machine machine = round_machine();
    ridge_fit fit = round_fit();
    ridge_call call = model_call("gemm m=9007199254740992 n=9007199254740992 "
                                 "k=1024 batch=1000000 dtype=bf16");
    for (uint16_t tile = 0; tile <= 16; tile = (uint16_t)(tile + 16)) {
        call.tile_m = call.tile_n = tile;
        ridge_estimate e = run(&machine, &fit, call);
        assert_true(e.body_s >= 0.97 * e.work.flop / e.peak_flop_per_s);
        assert_true(isfinite(e.body_s));
    }
}

/* An accumulator in fp32 leaves room for operands in the 256 KiB of registers of an SM. */
static void accumulators_fit_registers(void **state)
{
    (void)state;
    static const char *const calls[] = {"gemm m=4096 n=4096 k=4096 dtype=bf16",
                                        "gemm m=16384 n=16384 k=8192 dtype=bf16",
                                        "gemm m=8192 n=28672 k=4096 dtype=bf16"};
    model_machine m = model_machine_of("h100-sxm", NULL);
    for (size_t i = 0; i < RIDGE__COUNT(calls); i++) {
        ridge_estimate e = model_estimate(&m, calls[i]);
        assert_true(e.plan.tile_m * e.plan.tile_n * 4 <= 192 * 1024);
    }
    model_machine_clear(&m);
}

/* A 1 x 1 filter is a product of pixels and channels: the same time, but less certain. */
static void a_convolution_is_a_product(void **state)
{
    (void)state;
    model_machine m = model_machine_of("h100-sxm", NULL);
    ridge_estimate conv = model_estimate(&m, "conv2d c=1024 h=64 k=512 r=1 dtype=bf16");
    ridge_estimate gemm = model_estimate(&m, "gemm m=4096 n=512 k=1024 dtype=bf16");
    assert_close(conv.floor_s, gemm.floor_s, 0);
    assert_close(conv.expected_s, gemm.expected_s, 0);
    assert_true(conv.high_s > gemm.high_s && conv.low_s <= gemm.low_s);
    assert_true(conv.warnings & RIDGE_WARNING_BORROWED);
    assert_false(gemm.warnings & RIDGE_WARNING_BORROWED);
    model_machine_clear(&m);
}

/* Its gradients are two products, launched one after the other. */
static void gradients_are_two_products(void **state)
{
    (void)state;
    model_machine m = model_machine_of("h100-sxm", NULL);
    ridge_estimate both =
        model_estimate(&m, "gemm_backward m=8192 n=4096 k=2048 dtype=bf16");
    ridge_estimate da = model_estimate(&m, "gemm m=8192 n=2048 k=4096 dtype=bf16");
    ridge_estimate db = model_estimate(&m, "gemm m=2048 n=4096 k=8192 dtype=bf16");
    assert_close(both.body_s, da.body_s + db.body_s, 1e-15);
    assert_close(both.launch_s, da.launch_s + db.launch_s, 0);
    assert_close(both.work.flop, da.work.flop + db.work.flop, 0);
    /* dC is read once by the floor: what the two read of it together is twice that. */
    assert_close(both.work.bytes, da.work.bytes + db.work.bytes - 2.0 * 8192 * 4096, 0);
    model_machine_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_wave_by_hand),
        cmocka_unit_test(waves_whole_and_smooth),
        cmocka_unit_test(split_pays_when_the_grid_is_small),
        cmocka_unit_test(quantisation_is_a_pass_of_its_own),
        cmocka_unit_test(quantised_rows_cost_beside_their_bytes),
        cmocka_unit_test(a_named_batch_kernel_takes_one_product_as_a_batch),
        cmocka_unit_test(a_step_has_a_least_time),
        cmocka_unit_test(small_tiles_can_be_missing),
        cmocka_unit_test(tiles_lie_within_what_the_fit_says),
        cmocka_unit_test(later_waves_read_again),
        cmocka_unit_test(ports_grow_with_the_pipe),
        cmocka_unit_test(power_slows_long_products),
        cmocka_unit_test(fewer_watts_slow_long_products_more),
        cmocka_unit_test(sustained_clock_goes_by_watts_alone),
        cmocka_unit_test(fixed_times_follow_the_clock),
        cmocka_unit_test(tiles_of_powers_of_two_alone),
        cmocka_unit_test(power_is_what_the_part_pays_for),
        cmocka_unit_test(rows_far_apart_and_odd_rows_cost),
        cmocka_unit_test(a_tile_loses_what_the_fit_says),
        cmocka_unit_test(ceiling_of_a_given_tile),
        cmocka_unit_test(a_second_product_costs_time),
        cmocka_unit_test(a_grid_beyond_integers_is_estimated),
        cmocka_unit_test(accumulators_fit_registers),
        cmocka_unit_test(a_convolution_is_a_product),
        cmocka_unit_test(gradients_are_two_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

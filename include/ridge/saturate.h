/*
 * ridge/saturate.h - the size from which on a call can reach the peak.  Included by
 * <ridge.h>.
 */
#ifndef RIDGE_SATURATE_H
#define RIDGE_SATURATE_H

#ifndef RIDGE_H
#error "include <ridge.h>"
#endif

#define RIDGE_SOLVE_MAX 4

/* What is asked: at which value of its keys a call's intensity reaches the ridge. */
typedef struct ridge_saturate {
    /* Parameters of the op, by name or alias, that take one common value. */
    const char *key[RIDGE_SOLVE_MAX];
    size_t key_count;
    /* The attainable rate is to reach this share of the peak, in (0, 1]; 1: the ridge. */
    double fraction;
    /*
     * What the FLOP are set against.  false: the bytes of DRAM at its rate.  true: bytes
     * over a link at its one-way rate: those that the op counts as sent, or, where `wire`
     * is not 0, the operands whose bits are set in it.
     */
    bool link;
    uint32_t wire;
} ridge_saturate;

typedef struct ridge_saturation {
    /* The real value at which the target is met; unknown: there is none. */
    double crossing;
    double integer; /* rising: the smallest whole value that meets it; else the largest */
    bool never;     /* no value of the key meets it */
    bool already;   /* the smallest allowed value meets it */
    bool rising;    /* met from the crossing on; false: up to the crossing */
    bool returns;   /* it is not met everywhere beyond: the first crossing is given */
    double least, most; /* values of the key that were looked at */
    double target;      /* FLOP/byte that is wanted: fraction x peak / rate */
    double intensity;   /* FLOP/byte at `integer`; never: at the most favourable value */
    double beside;      /* the whole value on the other side of the crossing */
    double next;        /* FLOP/byte at `beside` */
    double limit;       /* FLOP/byte that it tends to as the key grows; infinite: none */
    double peak_flop_per_s, rate_bytes_per_s;
    uint32_t warnings; /* of the rates and the words */
    /* The finished call at `integer` (never: at `most`), its work, and a call of another
     * size, which tells what in the formulas depends on the key. */
    ridge_call call, other;
    ridge_work work;
    size_t param[RIDGE_SOLVE_MAX]; /* places of the keys in call.arg */
    size_t param_count;
} ridge_saturation;

/*
 * call: read but not finished, without the solved keys.  Pure, as ridge_estimate_call();
 * a few thousand counts.  NOTFOUND: no such key; INVALID: a key is no number, is given
 * too, or no value of it makes a valid call; NODATA: a rate is unknown, or the call sends
 * nothing over a link; else what ridge_op_count() fails with.
 */
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_saturation_find(
    ridge_saturation *out, const ridge_machine *machine, const ridge_call *call,
    const ridge_saturate *question, ridge_error *err);

/* The bits of `names` (operands of the op, separated by commas) for ridge_saturate.wire;
 * NOTFOUND names those that there are. */
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_saturate_wire(uint32_t *out,
                                                            const ridge_call *call,
                                                            const char *names,
                                                            ridge_error *err);

/* What ridge_saturation_write() writes. */
typedef struct ridge_saturation_result {
    const ridge_machine *machine;
    const ridge_saturate *question;
    const ridge_saturation *saturation;
    /*
     * Of a mixture: with a product solved for its rows, how many tokens a layer needs until
     * each expert has them.  Unknown: not asked.  An op with experts of its own (moe) takes
     * them from the call.
     */
    double experts, topk;
} ridge_saturation_result;

#endif

/* Grouped products: each group has its own B and its own number of rows. */
#include "op/op_priv.h"

static const ridge__param params[] = {
    [RIDGE_GROUPED_M] = RIDGE__PARAM_LIST("m", NULL, false, 0,
                                          "rows of each group; a list: of each in turn"),
    [RIDGE_GROUPED_N] =
        RIDGE__PARAM_SIZE("n", NULL, "columns of each B and of C (output features)"),
    [RIDGE_GROUPED_K] =
        RIDGE__PARAM_SIZE("k", NULL, "columns of A, rows of each B: summed over"),
    [RIDGE_GROUPED_GROUPS] = RIDGE__PARAM_COUNT("groups", "g", RIDGE_UNKNOWN, 1,
                                                "matrices B; follows from a list of m"),
    [RIDGE_GROUPED_M_TOTAL] =
        RIDGE__PARAM_COUNT("m_total", NULL, RIDGE_UNKNOWN, 1,
                           "rows of all groups, spread evenly, instead of m"),
    [RIDGE_GROUPED_DTYPE] = RIDGE__PARAM_DTYPE(
        "dtype", NULL, true, RIDGE_UNKNOWN, "of A, and of B; in>out is taken: fp8>bf16"),
    [RIDGE_GROUPED_DTYPE_OUT] =
        RIDGE__PARAM_DTYPE("dtype_out", NULL, false, RIDGE_UNKNOWN,
                           "of C; default: as dtype, below 16 bits bf16"),
    [RIDGE_GROUPED_PIPE] =
        RIDGE__PARAM_WORD("pipe", RIDGE__PIPE_WORDS, RIDGE_PIPE_ANY,
                          "execution units; default: the part's fastest"),
};

static const char *const operands[] = {"a", "b", "c"};
enum {
    A,
    B,
    C
};

static double element_bytes(const ridge_call *call, size_t i)
{
    if (i == A)
        return ridge__call_bytes(call, RIDGE_GROUPED_DTYPE);
    if (i == B)
        return ridge__dtype(ridge__call_dtype(call, RIDGE_GROUPED_DTYPE))->weight_bytes;
    return ridge__call_bytes(call, RIDGE_GROUPED_DTYPE_OUT);
}

ridge__cursor ridge__grouped_begin(const ridge_call *call)
{
    const ridge_list *list = ridge__call_list(call, RIDGE_GROUPED_M);
    return list ? ridge__list_begin(list) : (ridge__cursor){NULL, NULL};
}

/* Rows of all groups, and the groups that have any: an empty group needs no B. */
static double total_rows(const ridge_call *call, double *used)
{
    const double *a = call->arg;
    if (!ridge__call_list(call, RIDGE_GROUPED_M)) {
        *used = ridge__min(a[RIDGE_GROUPED_GROUPS], a[RIDGE_GROUPED_M_TOTAL]);
        return a[RIDGE_GROUPED_M_TOTAL];
    }
    double rows = 0, value, times;
    *used = 0;
    for (ridge__cursor at = ridge__grouped_begin(call);
         ridge__list_next(&at, &value, &times);) {
        rows += value * times;
        *used += value > 0 ? times : 0;
    }
    return rows;
}

static ridge_status contradiction(const char *what, double given, double found,
                                  ridge_error *err)
{
    return ridge__error_set(err, RIDGE_INVALID,
                            "%s=%llu contradicts m, which gives %llu; leave one of them "
                            "out",
                            what, (unsigned long long)given, (unsigned long long)found);
}

/* m alone per group, or m_total for all of them; a list says how many groups there are. */
static ridge_status finish(ridge_call *call, ridge_error *err)
{
    double *a = call->arg, groups = a[RIDGE_GROUPED_GROUPS];
    const ridge_list *list = ridge__call_list(call, RIDGE_GROUPED_M);
    bool m = ridge__call_given(call, RIDGE_GROUPED_M);
    bool total = ridge__call_given(call, RIDGE_GROUPED_M_TOTAL);
    ridge__call_default(call, RIDGE_GROUPED_DTYPE_OUT,
                        ridge__call_output(call, RIDGE_GROUPED_DTYPE));
    if (!m && !total)
        return ridge__error_set(err, RIDGE_INVALID,
                                "grouped_gemm lacks its rows; m=[...], or groups and m "
                                "or m_total wanted, as in: grouped_gemm %s",
                                call->op->example);
    if (!list && !ridge_known(groups))
        return ridge__error_set(err, RIDGE_INVALID,
                                "grouped_gemm lacks groups; a list of m gives them, or "
                                "groups=");
    double rows = a[RIDGE_GROUPED_M_TOTAL];
    if (list) {
        double count;
        rows = ridge__list_sum(list, &count);
        if (ridge__call_given(call, RIDGE_GROUPED_GROUPS) && groups != count)
            return contradiction("groups", groups, count, err);
        a[RIDGE_GROUPED_GROUPS] = count;
        a[RIDGE_GROUPED_M] = rows / count;
    } else if (m) {
        rows = groups * a[RIDGE_GROUPED_M];
    } else {
        a[RIDGE_GROUPED_M] = rows / groups;
    }
    if (total && rows != a[RIDGE_GROUPED_M_TOTAL])
        return contradiction("m_total", a[RIDGE_GROUPED_M_TOTAL], rows, err);
    if (rows == 0)
        return ridge__error_set(err, RIDGE_INVALID,
                                "no group has a row; at least one row wanted");
    a[RIDGE_GROUPED_M_TOTAL] = rows;
    return RIDGE_OK;
}

/* F = 2 M n k over all rows M; each B once where its group has rows. */
static ridge_status count(ridge_work *work, const ridge_call *call, ridge_error *err)
{
    (void)err;
    const double *a = call->arg;
    double n = a[RIDGE_GROUPED_N], k = a[RIDGE_GROUPED_K], used;
    double rows = total_rows(call, &used);
    ridge_dtype dtype = ridge__call_dtype(call, RIDGE_GROUPED_DTYPE);
    work->flop = 2 * rows * n * k;
    ridge__work_operand(work, element_bytes(call, A) * rows * k);
    ridge__work_operand(work, element_bytes(call, B) * used * k * n);
    ridge__work_operand(work, element_bytes(call, C) * rows * n);
    work->dtype = (uint8_t)ridge__dtype(dtype)->math;
    work->accumulator = (uint8_t)ridge__accumulator((ridge_dtype)work->dtype);
    work->pipe = (uint8_t)a[RIDGE_GROUPED_PIPE];
    if (ridge__row_misaligned(k, dtype) ||
        ridge__row_misaligned(n, ridge__call_dtype(call, RIDGE_GROUPED_DTYPE_OUT)))
        work->warnings |= RIDGE_WARNING_MISALIGNED;
    return RIDGE_OK;
}

/* One of the products, of the mean number of rows. */
static bool product(ridge__product *out, const ridge_call *call, size_t i)
{
    if (i > 0)
        return false;
    const double *a = call->arg;
    double n = a[RIDGE_GROUPED_N], k = a[RIDGE_GROUPED_K], used;
    double rows = total_rows(call, &used);
    double m = ceil(rows / used);
    *out = (ridge__product){.m = m, .n = n, .k = k, .batch = used};
    for (size_t operand = A; operand <= C; operand++)
        out->element[operand] = element_bytes(call, operand);
    out->bytes[A] = out->element[A] * rows / used * k;
    out->bytes[B] = out->element[B] * k * n;
    out->bytes[C] = out->element[C] * rows / used * n;
    return true;
}

static double symbol(const ridge_call *call, const char *name, size_t size)
{
    double used;
    total_rows(call, &used);
    return ridge__text_is("used", name, size) ? used : RIDGE_UNKNOWN;
}

static const ridge_op ops[] = {{
    .name = "grouped_gemm",
    .aliases = "grouped_matmul group_gemm",
    .family = "grouped_gemm",
    .title = "matrix products of several groups of rows, each with its own B",
    .form = RIDGE_FORM_GROUPED,
    .stand_in = "moe",
    .product = product,
    .dtype_param = RIDGE_GROUPED_DTYPE,
    .params = params,
    .param_count = RIDGE_GROUPED_PARAMS,
    .operands = operands,
    .operand_count = RIDGE__COUNT(operands),
    .element_bytes = element_bytes,
    .count = count,
    .finish = finish,
    .symbol = symbol,
    .flop_formula = "2*{m_total}*{n}*{k}",
    .bytes_formula = "{sa}*{m_total}*{k} + {sb}*{used}*{k}*{n} + {sc}*{m_total}*{n}",
    .growth = "rows per group at 2 B, grows with them: can become compute bound",
    .not_counted = "scales of fp8 blocks, sorting rows by group, quantising the input",
    .source = "one multiply and one add per (row, n, k); the B of a group once, however "
              "many blocks of rows it has",
    .symbols = "used: groups that have rows",
    .example = "m=[8864x4] n=4096 k=7168 dtype=fp8",
    .flop_per_element = RIDGE_UNKNOWN,
    .special_per_element = RIDGE_UNKNOWN,
}};

ridge__op_rows ridge__op_rows_grouped(void)
{
    return (ridge__op_rows){ops, RIDGE__COUNT(ops)};
}

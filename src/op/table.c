/* The one table of operations, and what can be asked of it. */
#include "op/stream_priv.h"

#include <string.h>

typedef ridge__op_rows (*rows_of)(void);
static const rows_of families[] = {
    ridge__op_rows_gemm,        ridge__op_rows_attention,
    ridge__op_rows_elementwise, ridge__op_rows_norm,
    ridge__op_rows_indexed,     ridge__op_rows_quant,
    ridge__op_rows_sampling,    ridge__op_rows_transform,
    ridge__op_rows_convolution, ridge__op_rows_stencil,
    ridge__op_rows_sparse,      ridge__op_rows_gemm_backward,
    ridge__op_rows_backward,    ridge__op_rows_optimizer,
    ridge__op_rows_custom,      ridge__op_rows_collective,
    ridge__op_rows_experts,     ridge__op_rows_grouped,
    ridge__op_rows_moe,         ridge__op_rows_mla,
    ridge__op_rows_linear,      ridge__op_rows_sparse_attention,
};

size_t ridge_op_total(void)
{
    size_t total = 0;
    for (size_t i = 0; i < RIDGE__COUNT(families); i++)
        total += families[i]().count;
    return total;
}

const ridge_op *ridge_op_at(size_t index)
{
    for (size_t i = 0; i < RIDGE__COUNT(families); i++) {
        ridge__op_rows rows = families[i]();
        if (index < rows.count)
            return &rows.ops[index];
        index -= rows.count;
    }
    return NULL;
}

bool ridge__word_find(const char *list, const char *word, size_t size, size_t *index)
{
    if (!list || size == 0)
        return false;
    for (size_t i = 0; *list; i++) {
        size_t n = strcspn(list, " ");
        if (n == size && memcmp(list, word, n) == 0) {
            *index = i;
            return true;
        }
        list += n;
        list += strspn(list, " ");
    }
    return false;
}

const ridge_op *ridge_op_find(const char *name)
{
    size_t size = strlen(name), at;
    const ridge_op *op;
    for (size_t i = 0; (op = ridge_op_at(i)) != NULL; i++)
        if (strcmp(op->name, name) == 0 || ridge__word_find(op->aliases, name, size, &at))
            return op;
    return NULL;
}

const char *ridge_op_name(const ridge_op *op)
{
    return op->name;
}

const char *ridge_op_title(const ridge_op *op)
{
    return op->title;
}

bool ridge__op_is_family(const char *name)
{
    size_t members = 0;
    const ridge_op *op;
    for (size_t i = 0; (op = ridge_op_at(i)) != NULL; i++)
        members += strcmp(op->family, name) == 0;
    return members > 1;
}

size_t ridge__op_param(const ridge_op *op, const char *name, size_t size)
{
    size_t at;
    for (size_t i = 0; i < op->param_count; i++) {
        const ridge__param *p = &op->params[i];
        if ((strlen(p->name) == size && memcmp(p->name, name, size) == 0) ||
            ridge__word_find(p->aliases, name, size, &at))
            return i;
    }
    return op->param_count;
}

ridge_status ridge_op_count(ridge_work *out, const ridge_call *call, ridge_error *err)
{
    ridge_work work = {.l2_bytes = RIDGE_UNKNOWN,
                       .l1_bytes = RIDGE_UNKNOWN,
                       .least_flop = RIDGE_UNKNOWN,
                       .least_bytes = RIDGE_UNKNOWN,
                       .beside_dtype = RIDGE_DTYPE_COUNT,
                       .fast_dtype = RIDGE_DTYPE_COUNT};
    ridge_status status = call->op->count(&work, call, err);
    work.warnings |= call->warnings;
    if (!status)
        *out = work;
    return status;
}

void ridge__work_operand(ridge_work *work, double bytes)
{
    work->operand_bytes[work->operand_count++] = bytes;
    work->bytes += bytes;
    work->footprint_bytes += bytes;
}

bool ridge__row_misaligned(double count, ridge_dtype dtype)
{
    enum {
        LOAD_BYTES = 16 /* the widest load, and the granule of TMA descriptors */
    };
    double packed = ridge__packed_bytes(ridge__dtype(dtype)->activation_bytes);
    double loads = count * packed / LOAD_BYTES;
    return loads != ridge__round_up(loads);
}

const char *ridge__call_flop_formula(const ridge_call *call)
{
    const ridge_op *op = call->op;
    return call->executed && op->executed_formula ? op->executed_formula
                                                  : op->flop_formula;
}

double ridge__call_element_bytes(const ridge_call *call, size_t operand)
{
    const ridge_op *op = call->op;
    if (!op->element_bytes || operand >= op->operand_count)
        return RIDGE_UNKNOWN;
    return op->element_bytes(call, operand);
}

bool ridge__op_writes(const ridge_op *op, size_t i)
{
    size_t results = op->results ? op->results : 1;
    size_t first = op->first_result ? op->first_result : op->operand_count - results;
    return i >= first && i < first + results;
}

/* A parameter of the op by its name, without the length. */
static size_t place_of(const ridge_op *op, const char *name)
{
    return ridge__op_param(op, name, strlen(name));
}

double ridge__call_elements(const ridge_call *call, const ridge_work *work, size_t i)
{
    if (i >= work->operand_count)
        return RIDGE_UNKNOWN;
    const ridge_op *op = call->op;
    double elements = work->operand_bytes[i] / ridge__call_element_bytes(call, i);
    size_t inputs = place_of(op, "inputs");
    if (ridge__op_writes(op, i))
        return elements;
    if (op->shares && op->shares[i].times) /* the same ones, several times */
        elements /= call->arg[op->shares[i].times];
    if (inputs < op->param_count) /* one of several alike */
        elements /= call->arg[inputs];
    return elements;
}

double ridge__call_row(const ridge_call *call)
{
    const ridge_op *op = call->op;
    ridge__product product;
    size_t block = place_of(op, "block");
    switch (op->form) {
    case RIDGE_FORM_STREAM:
        if (block < op->param_count && call->arg[block] > 0)
            return call->arg[block];
        return call->arg[RIDGE_STREAM_COLS];
    case RIDGE_FORM_TILE:
        if (!op->product)
            return call->arg[RIDGE_GEMM_K];
        return op->product(&product, call, 0) ? product.k : RIDGE_UNKNOWN;
    case RIDGE_FORM_ATTENTION:
        return call->arg[RIDGE_ATTN_HEAD_DIM];
    default:
        return RIDGE_UNKNOWN;
    }
}

double ridge__op_formula_value(const ridge_call *call, const ridge_work *work,
                               const char *name, size_t size)
{
    size_t param = ridge__op_param(call->op, name, size);
    if (param < call->op->param_count)
        return call->arg[param];
    if (ridge__text_is("flop", name, size))
        return work->flop;
    if (ridge__text_is("bytes", name, size))
        return work->bytes;
    if (size == 2 && name[0] == 's' && name[1] >= 'a' && name[1] <= 'f')
        return ridge__call_element_bytes(call, (size_t)(name[1] - 'a'));
    return call->op->symbol ? call->op->symbol(call, name, size) : RIDGE_UNKNOWN;
}

double ridge__op_fact_value(const ridge_call *call, const struct ridge__op_fact *fact)
{
    return call->op->symbol(call, fact->name, strlen(fact->name));
}

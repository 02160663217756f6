/*
 * Any lines as an op and its key=value words: no crash, a refusal has a sentence and leaves
 * the call as it was, and what is counted is not negative and adds up.
 */
#include "op/op_priv.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

/* The next line, terminated; NULL at the end. */
static char *next_line(char **rest)
{
    char *line = *rest;
    if (!line)
        return NULL;
    char *end = strchr(line, '\n');
    *rest = end ? end + 1 : NULL;
    if (end)
        *end = '\0';
    return line;
}

static void check_refused(ridge_status status, const ridge_error *err,
                          const ridge_call *call, const ridge_call *before)
{
    require(err->status == status && err->message[0] != '\0');
    require(memcmp(call, before, sizeof *call) == 0);
}

/* The same word as the cell of a table, whose end is not marked. */
static void set_cell(ridge_call call, const char *key, const char *value)
{
    size_t param = ridge__op_param(call.op, key, strlen(key)), size = strlen(value);
    if (param == call.op->param_count)
        return;
    char *cell = malloc(size ? size : 1);
    if (!cell)
        return;
    memcpy(cell, value, size);
    ridge_status status = ridge__call_set_index(&call, param, cell, size, NULL);
    require(status || size == 0 || ridge__call_given(&call, param));
    free(cell);
}

static void check_count(const ridge_call *call)
{
    ridge_work work;
    double bytes = 0;
    require(!ridge_op_count(&work, call, NULL));
    for (size_t i = 0; i < work.operand_count; i++) {
        require(work.operand_bytes[i] >= 0);
        bytes += work.operand_bytes[i];
    }
    require(work.flop >= 0 && work.special >= 0 && bytes == work.bytes);
    require(work.footprint_bytes >= 0 && work.dtype <= RIDGE_DTYPE_COUNT);
}

static void run(char *text)
{
    ridge_error err = {0};
    ridge_call call, before;
    char *rest = text, *op = next_line(&rest), *word;
    if (ridge_call_init(&call, op, &err)) {
        require(err.message[0] != '\0');
        return;
    }
    while ((word = next_line(&rest)) != NULL) {
        char *value = strchr(word, '=');
        if (!value)
            continue;
        *value++ = '\0';
        set_cell(call, word, value);
        before = call;
        ridge_status status = ridge_call_set(&call, word, value, &err);
        if (status)
            check_refused(status, &err, &call, &before);
    }
    before = call;
    ridge_status status = ridge_call_finish(&call, &err);
    if (status)
        check_refused(status, &err, &call, &before);
    else
        check_count(&call);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    run(text);
    free(text);
    return 0;
}

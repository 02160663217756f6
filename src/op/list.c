/* Lists of numbers, "[128,4096x7]": read where they were typed, copied nowhere. */
#include "op/op_priv.h"

#include <string.h>

enum {
    /* Runs of a list: an estimate walks them each time, about 10 ns a run. */
    RUNS_MAX = 16384,
    BASE = 10
};

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

/* Digits at `at`; NULL if there are none.  Beyond what a count may be it stays there. */
static const char *read_digits(const char *at, const char *end, double *out)
{
    const char *begin = at;
    double value = 0;
    for (; at < end && *at >= '0' && *at <= '9'; at++)
        if (value <= RIDGE__COUNT_MAX)
            value = value * BASE + (*at - '0');
    *out = value;
    return at > begin ? at : NULL;
}

/* "4096x7" or "4096"; NULL if it is neither. */
static const char *read_run(const char *at, const char *end, double *value, double *times)
{
    *times = 1;
    at = read_digits(skip_blanks(at, end), end, value);
    if (at && at < end && *at == 'x')
        at = read_digits(at + 1, end, times);
    return at ? skip_blanks(at, end) : NULL;
}

/* One run as it was typed, for a message. */
static void quote_run(char *buf, size_t size, const char *at, const char *end)
{
    const char *comma = memchr(at, ',', (size_t)(end - at));
    int length = (int)((comma ? comma : end) - at);
    snprintf(buf, size, "%.*s", length < (int)size ? length : (int)size - 1, at);
}

static ridge_status check_run(const ridge__param *p, double value, double times,
                              const char *run, ridge_error *err)
{
    if (times == 0)
        return ridge__error_set(
            err, RIDGE_INVALID,
            "\"%s\" in the list repeats a number no times; leave it out",
            RIDGE__QUOTE(run));
    if (value >= p->min && value <= p->max)
        return RIDGE_OK;
    char low[32], high[32];
    ridge__number_shortest(low, p->min);
    ridge__number_shortest(high, p->max);
    return ridge__error_set(err, RIDGE_INVALID,
                            "\"%s\" in the list is out of range; %s to %s wanted",
                            RIDGE__QUOTE(run), low, high);
}

/* What lies between the brackets. */
static ridge_status check_runs(double *out, const ridge__param *p, const char *at,
                               const char *end, ridge_error *err)
{
    double sum = 0, count = 0, value, times;
    for (size_t runs = 1;; runs++) {
        char run[RIDGE_LIMIT_QUOTED];
        quote_run(run, sizeof run, at, end);
        at = read_run(at, end, &value, &times);
        if (!at || (at < end && *at != ','))
            return ridge__error_set(err, RIDGE_SYNTAX,
                                    "\"%s\" in the list is no number; numbers wanted, "
                                    "each once or several times, as in [128,4096x7]",
                                    RIDGE__QUOTE(run));
        ridge_status status = check_run(p, value, times, run, err);
        if (status)
            return status;
        if (value * times > RIDGE__COUNT_MAX - sum || times > RIDGE__COUNT_MAX - count)
            return ridge__error_set(err, RIDGE_LIMIT,
                                    "the list adds up to more than 9007199254740992 at "
                                    "\"%s\"; fewer or smaller numbers wanted",
                                    RIDGE__QUOTE(run));
        sum += value * times;
        count += times;
        if (at == end)
            break;
        if (runs == RUNS_MAX)
            return ridge__error_set(err, RIDGE_LIMIT,
                                    "the list has more than %d entries; write equal "
                                    "numbers as one, as in [128,4096x7]",
                                    (int)RUNS_MAX);
        at++;
    }
    *out = sum;
    return RIDGE_OK;
}

ridge_status ridge__list_check(double *out, const ridge__param *p, const char *text,
                               size_t size, ridge_error *err)
{
    if (size < 2 || text[size - 1] != ']')
        return ridge__error_set(
            err, RIDGE_SYNTAX,
            "the list is not closed; numbers in brackets wanted, as in [128,4096x7]");
    const char *at = skip_blanks(text + 1, text + size - 1);
    if (at == text + size - 1)
        return ridge__error_set(
            err, RIDGE_SYNTAX,
            "the list is empty; at least one number wanted, as in [128,4096x7]");
    return check_runs(out, p, at, text + size - 1, err);
}

void ridge__list_drop(ridge_call *call, size_t param)
{
    size_t kept = 0;
    for (size_t i = 0; i < RIDGE_LIST_MAX; i++)
        if (call->list[i].size > 0 && call->list[i].param != param)
            call->list[kept++] = call->list[i];
    while (kept < RIDGE_LIST_MAX)
        call->list[kept++] = (ridge_list){0};
}

bool ridge__list_keep(ridge_call *call, size_t param, const char *text, size_t size)
{
    ridge__list_drop(call, param);
    for (size_t i = 0; i < RIDGE_LIST_MAX; i++) {
        if (call->list[i].size > 0)
            continue;
        call->list[i] = (ridge_list){text, (uint32_t)size, (uint8_t)param};
        return true;
    }
    return false;
}

const ridge_list *ridge__call_list(const ridge_call *call, size_t param)
{
    for (size_t i = 0; i < RIDGE_LIST_MAX && call->list[i].size > 0; i++)
        if (call->list[i].param == param)
            return &call->list[i];
    return NULL;
}

ridge__cursor ridge__list_begin(const ridge_list *list)
{
    return (ridge__cursor){list->text + 1, list->text + list->size - 1};
}

bool ridge__list_next(ridge__cursor *cursor, double *value, double *times)
{
    if (cursor->at >= cursor->end)
        return false;
    const char *at = read_run(cursor->at, cursor->end, value, times);
    cursor->at = at ? at + 1 : cursor->end; /* past the comma, or the bracket */
    return at != NULL;
}

double ridge__list_sum(const ridge_list *list, double *count)
{
    double sum = 0, value, times;
    *count = 0;
    for (ridge__cursor at = ridge__list_begin(list);
         ridge__list_next(&at, &value, &times);) {
        sum += value * times;
        *count += times;
    }
    return sum;
}

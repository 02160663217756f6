/* Stand-ins until attention.c and stream.c are there: the estimate stays unknown. */
#include "model/model.h"

__attribute__((weak)) ridge__fit_form ridge__attention_fit(const ridge_call *call)
{
    (void)call;
    return RIDGE_FIT_PREFILL;
}
__attribute__((weak)) void ridge__form_attention(ridge_estimate *e,
                                                 const ridge__form_input *in)
{
    (void)in;
    e->body_s = RIDGE_UNKNOWN;
}
__attribute__((weak)) void ridge__form_stream(ridge_estimate *e,
                                              const ridge__form_input *in)
{
    (void)in;
    e->body_s = RIDGE_UNKNOWN;
}

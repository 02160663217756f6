#include "chart/chart.h"

#include <string.h>

enum {
    REPLACEMENT = 0xFFFD
};

/* Length and smallest code point of a sequence by its first byte; length 0: none. */
static unsigned sequence(unsigned char first, uint32_t *bits, uint32_t *least)
{
    static const struct {
        unsigned char mask, lead;
        unsigned size;
        uint32_t least;
    } kinds[] = {{0x80, 0x00, 1, 0},
                 {0xE0, 0xC0, 2, 0x80},
                 {0xF0, 0xE0, 3, 0x800},
                 {0xF8, 0xF0, 4, 0x10000}};
    for (size_t i = 0; i < RIDGE__COUNT(kinds); i++)
        if ((first & kinds[i].mask) == kinds[i].lead) {
            *bits = first & (unsigned char)~kinds[i].mask;
            *least = kinds[i].least;
            return kinds[i].size;
        }
    return 0;
}

uint32_t ridge__utf8_next(const char **text)
{
    const unsigned char *p = (const unsigned char *)*text;
    uint32_t code = 0, least = 0;
    if (*p == '\0')
        return 0;
    unsigned size = sequence(*p, &code, &least);
    *text += 1; /* a bad byte stands for itself alone, so that what follows is kept */
    if (size == 0)
        return REPLACEMENT;
    for (unsigned i = 1; i < size; i++) {
        if ((p[i] & 0xC0) != 0x80) /* also stops at the terminator */
            return REPLACEMENT;
        code = code << 6 | (p[i] & 0x3Fu);
    }
    bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    bool not_xml = code == 0xFFFE || code == 0xFFFF;
    if (code < least || code > 0x10FFFF || surrogate || not_xml)
        return REPLACEMENT;
    *text += size - 1;
    return code;
}

/* The bytes of a code point; returns how many. */
static size_t encode(char buf[4], uint32_t code)
{
    if (code < 0x80) {
        buf[0] = (char)code;
        return 1;
    }
    size_t size = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = size - 1; i > 0; i--, code >>= 6)
        buf[i] = (char)(0x80 | (code & 0x3F));
    buf[0] = (char)(lead[size] | code);
    return size;
}

void ridge__utf8_put(ridge__str *out, uint32_t code)
{
    char buf[4];
    ridge__str_add(out, buf, encode(buf, code));
}

/* Characters that draw nothing and may break a document or turn the text around. */
static bool unprintable(uint32_t code)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {{0x01, 0x1F},     {0x7F, 0x9F},     {0x200E, 0x200F},
                  {0x2028, 0x202E}, {0x2060, 0x206F}, {0xFEFF, 0xFEFF}};
    for (size_t i = 0; i < RIDGE__COUNT(ranges); i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return true;
    return false;
}

const char *ridge__label_copy(ridge__arena *arena, const char *text)
{
    char buf[RIDGE_LIMIT_CHART_LABEL * 4];
    size_t size = 0, count = 0;
    uint32_t code;
    while (text && (code = ridge__utf8_next(&text)) != 0) {
        if (unprintable(code))
            continue;
        if (++count > RIDGE_LIMIT_CHART_LABEL - 3) {
            memcpy(buf + size, "...", 3);
            size += 3;
            break;
        }
        size += encode(buf + size, code);
    }
    return ridge__arena_copy(arena, buf, size);
}

void ridge__xml_text(ridge__str *out, const char *text)
{
    static const struct {
        char byte;
        const char *entity;
    } entities[] = {
        {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
    for (; *text; text++) {
        size_t i = 0;
        while (i < RIDGE__COUNT(entities) && entities[i].byte != *text)
            i++;
        if (i < RIDGE__COUNT(entities))
            ridge__str_text(out, entities[i].entity);
        else
            ridge__str_add(out, text, 1);
    }
}

unsigned ridge__code_columns(uint32_t code)
{
    /* Wide East Asian and pictographic blocks; combining marks [Unicode 15, EAW]. */
    static const struct {
        uint32_t first, last;
        unsigned columns;
    } ranges[] = {{0x0300, 0x036F, 0}, {0x200B, 0x200D, 0},   {0xFE00, 0xFE0F, 0},
                  {0x1100, 0x115F, 2}, {0x2E80, 0xA4CF, 2},   {0xAC00, 0xD7A3, 2},
                  {0xF900, 0xFAFF, 2}, {0xFE30, 0xFE6F, 2},   {0xFF00, 0xFF60, 2},
                  {0xFFE0, 0xFFE6, 2}, {0x1F300, 0x1FAFF, 2}, {0x20000, 0x3FFFD, 2}};
    for (size_t i = 0; i < RIDGE__COUNT(ranges); i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return ranges[i].columns;
    return 1;
}

size_t ridge__text_columns(const char *text)
{
    size_t columns = 0;
    uint32_t code;
    while ((code = ridge__utf8_next(&text)) != 0)
        columns += ridge__code_columns(code);
    return columns;
}

double ridge__text_width(const char *text, double size)
{
    /* Helvetica's advance widths in 1/1000 em, from its AFM file, space to tilde. */
    static const short advance[] = {
        278,  278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
        556,  556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
        1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
        667,  778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
        333,  556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
        556,  556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584};
    /* Another sans-serif may be put in its place; DejaVu Sans is the widest in use. */
    static const double allowance = 1.12;
    double sum = 0;
    uint32_t code;
    while ((code = ridge__utf8_next(&text)) != 0)
        sum += code >= ' ' && code <= '~' ? advance[code - ' ']
                                          : 600.0 * ridge__code_columns(code);
    return sum / 1000 * size * allowance;
}

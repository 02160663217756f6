#include "format/yaml.h"

#include <stdio.h>
#include <yaml.h>

enum {
    /* Our files nest four deep; a deeper one is a mistake or an attack. */
    DEPTH_MAX = 8,
    PATH_MAX_BYTES = 192
};

/* ---- Walking the events: what the plain subset allows, and where a node stands ----- */

typedef struct frame {
    size_t path_size; /* of the node that holds these children */
    size_t index;     /* of the next item in a sequence */
    bool mapping;
    bool at_key; /* the next event of a mapping is a key */
} frame;

typedef struct walk {
    const char *find; /* path to look for; NULL: only check */
    uint64_t line;    /* of the last node with that path */
    char path[PATH_MAX_BYTES];
    size_t path_size;
    frame frames[DEPTH_MAX];
    size_t depth;
    size_t documents;
    uint64_t here; /* line of the current event */
} walk;

static void path_set(walk *w, size_t base, const char *fmt, const char *key, size_t index)
{
    w->path_size = base;
    if (base + 1 >= sizeof w->path)
        return;
    int n = key ? snprintf(w->path + base, sizeof w->path - base, fmt, key)
                : snprintf(w->path + base, sizeof w->path - base, "[%zu]", index);
    if (n > 0)
        w->path_size =
            base + (size_t)n < sizeof w->path ? base + (size_t)n : sizeof w->path - 1;
}

static void note_line(walk *w)
{
    w->path[w->path_size] = '\0';
    if (w->find && strcmp(w->path, w->find) == 0)
        w->line = w->here;
}

/* Called before each node; sets the path that names it. */
static void node_enter(walk *w, const char *scalar)
{
    if (w->depth == 0) {
        note_line(w);
        return;
    }
    frame *top = &w->frames[w->depth - 1];
    if (!top->mapping) {
        path_set(w, top->path_size, NULL, NULL, top->index++);
        note_line(w);
    } else if (top->at_key) {
        path_set(w, top->path_size, top->path_size ? ".%s" : "%s", scalar ? scalar : "?",
                 0);
        note_line(w);
        top->at_key = false;
    } else {
        top->at_key = true;
    }
}

static ridge_status refuse(const walk *w, ridge_error *err, const char *what)
{
    ridge_status status = ridge__error_set(err, RIDGE_SYNTAX, "%s", what);
    if (err)
        err->line = w->here;
    return status;
}

static ridge_status frame_push(walk *w, bool mapping, ridge_error *err)
{
    if (w->depth == DEPTH_MAX)
        return refuse(w, err, "nests too deeply; our files nest four deep");
    node_enter(w, NULL);
    w->frames[w->depth++] =
        (frame){.path_size = w->path_size, .mapping = mapping, .at_key = true};
    return RIDGE_OK;
}

static ridge_status event_take(walk *w, const yaml_event_t *event, ridge_error *err)
{
    w->here = event->start_mark.line + 1;
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (++w->documents > 1)
            return refuse(w, err, "holds a second document; one is wanted");
        return RIDGE_OK;
    case YAML_ALIAS_EVENT:
        return refuse(w, err, "uses an alias; write the value out");
    case YAML_SCALAR_EVENT:
        if (event->data.scalar.anchor || event->data.scalar.tag)
            return refuse(w, err, "uses an anchor or a tag; write the value plainly");
        node_enter(w, (const char *)event->data.scalar.value);
        return RIDGE_OK;
    case YAML_SEQUENCE_START_EVENT:
        if (event->data.sequence_start.anchor || event->data.sequence_start.tag)
            return refuse(w, err, "uses an anchor or a tag; write the value plainly");
        return frame_push(w, false, err);
    case YAML_MAPPING_START_EVENT:
        if (event->data.mapping_start.anchor || event->data.mapping_start.tag)
            return refuse(w, err, "uses an anchor or a tag; write the value plainly");
        return frame_push(w, true, err);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        w->depth--;
        return RIDGE_OK;
    default:
        return RIDGE_OK;
    }
}

static ridge_status parser_error(const yaml_parser_t *parser, const char *text,
                                 ridge_error *err)
{
    if (parser->error == YAML_MEMORY_ERROR)
        return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
    ridge_status status =
        ridge__error_set(err, RIDGE_SYNTAX, "is not YAML: %s",
                         parser->problem ? parser->problem : "unreadable");
    uint64_t line = parser->problem_mark.line + 1;
    if (parser->error == YAML_READER_ERROR) { /* which counts bytes alone */
        line = 1;
        for (size_t i = 0; i < parser->problem_offset; i++)
            line += text[i] == '\n';
    }
    if (err)
        err->line = line;
    return status;
}

static ridge_status walk_text(walk *w, const char *text, size_t size, ridge_error *err)
{
    ridge_status status = RIDGE_OK;
    yaml_parser_t parser;
    bool done = false;
    if (!yaml_parser_initialize(&parser))
        return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    while (!done && !status) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            status = parser_error(&parser, text, err);
            break;
        }
        done = event.type == YAML_STREAM_END_EVENT;
        status = event_take(w, &event, err);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return status;
}

uint64_t ridge__yaml_line(const char *text, size_t size, const char *path)
{
    walk w = {.find = path};
    return walk_text(&w, text, size, NULL) ? 0 : w.line;
}

/* ---- What libcyaml has to say ------------------------------------------------------ */

/* Its messages come through a callback, one line each: the cause, then the path from the
 * inside out. */
typedef struct complaint {
    char cause[256];
    struct {
        char field[48]; /* "": a sequence entry */
        size_t index;
    } step[DEPTH_MAX];
    size_t steps;
    bool traced;
} complaint;

/* The text between the first pair of quotes. */
static void between_quotes(char *out, size_t size, const char *text)
{
    const char *from = strchr(text, '\''), *to = from ? strchr(from + 1, '\'') : NULL;
    size_t n = to ? (size_t)(to - from - 1) : 0;
    if (n >= size)
        n = size - 1;
    if (n)
        memcpy(out, from + 1, n);
    out[n] = '\0';
}

static void complaint_step(complaint *c, const char *line)
{
    char word[48];
    if (c->steps == DEPTH_MAX)
        return;
    between_quotes(word, sizeof word, line);
    c->step[c->steps].field[0] = '\0';
    c->step[c->steps].index = 0;
    if (strstr(line, "sequence entry")) {
        double entry = 0; /* counted from 1 */
        const char *end = word;
        if (!ridge__number_parse(&entry, word, &end) && entry >= 1)
            c->step[c->steps].index = (size_t)entry - 1;
    } else {
        memcpy(c->step[c->steps].field, word, sizeof word);
        if (!word[0]) /* a mapping of which no field was read yet */
            memcpy(c->step[c->steps].field, "?", 2);
    }
    c->steps++;
}

static void complain(cyaml_log_t level, void *ctx, const char *fmt, va_list args)
{
    complaint *c = ctx;
    char line[256];
    (void)level;
    if (vsnprintf(line, sizeof line, fmt, args) < 0)
        return;
    line[strcspn(line, "\n")] = '\0';
    if (c->traced)
        complaint_step(c, line);
    else if (strstr(line, "Backtrace"))
        c->traced = true;
    else if (!c->cause[0])
        snprintf(c->cause, sizeof c->cause, "%s",
                 strncmp(line, "Load: ", 6) == 0 ? line + 6 : line);
}

/* The path from the outside in, without its `skip` innermost steps. */
static void complaint_path(const complaint *c, size_t skip, char *out, size_t size)
{
    size_t n = 0;
    out[0] = '\0';
    for (size_t i = c->steps; i-- > skip && n + 1 < size;) {
        const char *field = c->step[i].field;
        int k = field[0] ? snprintf(out + n, size - n, "%s%s", n ? "." : "", field)
                         : snprintf(out + n, size - n, "[%zu]", c->step[i].index);
        if (k > 0)
            n += (size_t)k;
    }
}

/* Names of kinds in its messages, and ours. */
static const struct {
    const char *kind, *text;
} kinds[] = {
    {"MAPPING", "a mapping"},
    {"SEQUENCE", "a list"},
    {"SCALAR", "a single value"},
    {"STRING", "a single value"},
};

static const char *kind_text(const char *from)
{
    for (size_t i = 0; i < RIDGE__COUNT(kinds); i++)
        if (strncmp(from, kinds[i].kind, strlen(kinds[i].kind)) == 0)
            return kinds[i].text;
    return "something else";
}

/* If `cause` starts with `head`, what follows it; else NULL. */
static const char *after(const char *cause, const char *head)
{
    size_t n = strlen(head);
    return strncmp(cause, head, n) == 0 ? cause + n : NULL;
}

static void complaint_message(const complaint *c, char *out, size_t size)
{
    const char *word = NULL, *got = strstr(c->cause, "got event: ");
    if ((word = after(c->cause, "Unexpected key: ")))
        snprintf(out, size, "unknown key \"%s\"", RIDGE__QUOTE(word));
    else if ((word = after(c->cause, "Missing required mapping field: ")))
        snprintf(out, size, "\"%s\" is missing", RIDGE__QUOTE(word));
    else if (after(c->cause, "Mapping field already seen: "))
        snprintf(out, size, "is given twice");
    else if (after(c->cause, "Insufficient entries "))
        snprintf(out, size, "is empty");
    else if ((word = after(c->cause, "Expecting ")) && got)
        snprintf(out, size, "%s is wanted, found %s", kind_text(word),
                 kind_text(got + strlen("got event: ")));
    else
        snprintf(out, size, "%s", c->cause[0] ? c->cause : "is malformed");
}

static ridge_status complaint_error(const complaint *c, const char *text, size_t size,
                                    ridge_error *err)
{
    char at[PATH_MAX_BYTES], key[2 * PATH_MAX_BYTES], message[sizeof c->cause];
    const char *unknown = after(c->cause, "Unexpected key: ");
    /* These concern the mapping or the list, not the child that was read last. */
    bool of_parent = unknown || after(c->cause, "Missing required mapping field: ") ||
                     after(c->cause, "Insufficient entries ");
    complaint_path(c, of_parent && c->steps ? 1 : 0, at, sizeof at);
    complaint_message(c, message, sizeof message);
    ridge_status status =
        ridge__error_set(err, RIDGE_SYNTAX, "%s%s%s", at, at[0] ? ": " : "", message);
    snprintf(key, sizeof key, "%s%s%.180s", at, unknown && at[0] ? "." : "",
             unknown ? unknown : "");
    if (err)
        err->line = ridge__yaml_line(text, size, key);
    return status;
}

/* ---- The two together -------------------------------------------------------------- */

static cyaml_config_t config_make(complaint *c)
{
    return (cyaml_config_t){.log_fn = complain,
                            .log_ctx = c,
                            .mem_fn = cyaml_mem,
                            .log_level = CYAML_LOG_ERROR,
                            .flags = CYAML_CFG_NO_ALIAS};
}

static ridge_status parse(void **out, const char *text, size_t size,
                          const cyaml_schema_value_t *schema, ridge_error *err)
{
    walk w = {0};
    complaint c = {0};
    cyaml_config_t config = config_make(&c);
    cyaml_data_t *data = NULL;
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) { /* UTF-8 byte order mark */
        text += 3;
        size -= 3;
    }
    ridge_status status = walk_text(&w, text, size, err);
    if (status)
        return status;
    cyaml_err_t code =
        cyaml_load_data((const uint8_t *)text, size, &config, schema, &data, NULL);
    if (code == CYAML_ERR_OOM)
        return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
    if (code)
        return complaint_error(&c, text, size, err);
    if (!data)
        return ridge__error_set(err, RIDGE_SYNTAX, "is empty");
    *out = data;
    return RIDGE_OK;
}

ridge_status ridge__yaml_parse(void **out, const char *text, size_t size,
                               const char *where, const cyaml_schema_value_t *schema,
                               ridge_error *err)
{
    ridge_status status = parse(out, text, size, schema, err);
    if (status)
        ridge__error_at(err, where, err ? err->line : 0);
    return status;
}

void ridge__yaml_free(void *data, const cyaml_schema_value_t *schema)
{
    complaint c = {0};
    cyaml_config_t config = config_make(&c);
    cyaml_free(&config, schema, data, 0);
}

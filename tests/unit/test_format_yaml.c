#include "format/yaml.h"

#include "test.h"

typedef struct row {
    char *name, *size;
} row;

typedef struct document {
    char *title;
    row *rows;
    unsigned rows_count;
} document;

static const cyaml_schema_field_t row_fields[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, row, name, 0, CYAML_UNLIMITED),
    CYAML_FIELD_STRING_PTR("size", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, row, size, 0,
                           CYAML_UNLIMITED),
    CYAML_FIELD_END};
static const cyaml_schema_value_t row_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, row, row_fields)};
static const cyaml_schema_field_t fields[] = {
    CYAML_FIELD_STRING_PTR("title", CYAML_FLAG_POINTER, document, title, 0,
                           CYAML_UNLIMITED),
    CYAML_FIELD_SEQUENCE("rows", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, document, rows,
                         &row_value, 0, CYAML_UNLIMITED),
    CYAML_FIELD_END};
static const cyaml_schema_value_t schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, document, fields)};

static void text_becomes_structs(void **state)
{
    (void)state;
    static const char text[] = "title: T\nrows:\n  - {name: a, size: \"1 B\"}\n"
                               "  - name: b\n";
    void *data = NULL;
    assert_int_equal(ridge__yaml_parse(&data, text, sizeof text - 1, "f", &schema, NULL),
                     RIDGE_OK);
    const document *d = data;
    assert_string_equal(d->title, "T");
    assert_int_equal(d->rows_count, 2);
    assert_string_equal(d->rows[0].size, "1 B");
    assert_string_equal(d->rows[1].name, "b");
    assert_null(d->rows[1].size);
    ridge__yaml_free(data, &schema);
    ridge__yaml_free(NULL, &schema);
}

static void faults_have_a_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
        unsigned line;
    } cases[] = {
        {"title: T\nrows:\n  - {name: a}\n  - {size: b}\n",
         "rows[1]: \"name\" is missing", 4},
        {"title: T\nrows:\n  - name: a\n    colour: b\n",
         "rows[0]: unknown key \"colour\"", 4},
        {"title: T\nrows:\n  - name: a\n    name: b\n", "rows[0].name: is given twice",
         4},
        {"title: T\nrows: 3\n", "rows: a list is wanted, found a single value", 2},
        {"title: {a: b}\n", "title: a single value is wanted, found a mapping", 1},
        {"rows: []\n", "\"title\" is missing", 1},
    };
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        void *data = NULL;
        ridge_error err = {0};
        assert_int_equal(ridge__yaml_parse(&data, cases[i].text, strlen(cases[i].text),
                                           "f.yaml", &schema, &err),
                         RIDGE_SYNTAX);
        assert_string_equal(err.message, cases[i].message);
        assert_string_equal(err.where, "f.yaml");
        assert_int_equal(err.line, cases[i].line);
        assert_null(data);
        /* Without an error to fill it only refuses. */
        assert_int_equal(ridge__yaml_parse(&data, cases[i].text, strlen(cases[i].text),
                                           "f.yaml", &schema, NULL),
                         RIDGE_SYNTAX);
    }
}

static void paths_lead_to_lines(void **state)
{
    (void)state;
    static const char text[] = "a: 1\nb:\n  - {c: 2,\n     d: 3}\n  - e:\n      - 4\n";
    static const struct {
        const char *path;
        unsigned line;
    } cases[] = {{"a", 1},         {"b", 2},      {"b[0]", 3},
                 {"b[0].c", 3},    {"b[0].d", 4}, {"b[1].e", 5},
                 {"b[1].e[0]", 6}, {"b[2]", 0},   {"", 1}};
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++)
        assert_int_equal(ridge__yaml_line(text, sizeof text - 1, cases[i].path),
                         cases[i].line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_becomes_structs),
        cmocka_unit_test(faults_have_a_place),
        cmocka_unit_test(paths_lead_to_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The option tables that commands share. */
#include "cli.h"

/* Of every command that reads the catalogue. */
#define CATALOG_ROW                                                                   \
    {                                                                                 \
        .name = "catalog", .value = "DIR",                                            \
        .help =                                                                       \
            "a folder of *.yaml parts, systems and links that add to or replace the " \
            "built-in ones",                                                          \
        .example = NULL                                                               \
    }

const struct option catalog_options[] = {
    CATALOG_ROW,
    {.name = NULL},
};

const struct option machine_options[] = {
    {.name = "gpu",
     .value = "ID|FILE",
     .help = "the part: an id or alias of ridge gpus, or a machine file; there is no "
             "default, and it may be left out when --peak and --dram are both given",
     .example = "--gpu h100-sxm"},
    {.name = "system",
     .value = "ID|FILE",
     .help = "the node that the part is in, for what goes over links: an id or alias of "
             "ridge systems, or a file; it names the part where --gpu does not",
     .example = "--system hgx-h100"},
    {.name = "peak",
     .value = "[DTYPE=]RATE",
     .many = true,
     .help = "another peak, for one dtype or for all: bf16=800TFLOP/s, 800TFLOP/s, 2x",
     .example = "--peak bf16=800TFLOP/s"},
    {.name = "dram",
     .value = "RATE",
     .help = "another memory bandwidth: 3TB/s, 2x",
     .example = "--dram 3TB/s"},
    {.name = "link",
     .value = "RATE",
     .help = "another rate of the links between parts, in one direction: 450GB/s, 2x",
     .example = "--link 400GB/s"},
    {.name = "clock",
     .value = "FREQUENCY",
     .help = "another clock: each peak scales from the clock that it is quoted at",
     .example = "--clock 1.6GHz"},
    {.name = "warm",
     .kind = OPTION_FLAG,
     .help = "inputs that fit in L2 are already there",
     .example = "--warm"},
    {.name = "cold",
     .kind = OPTION_FLAG,
     .help = "inputs come from DRAM (the default)",
     .example = "--cold"},
    CATALOG_ROW,
    {.name = "fit",
     .value = "FILE",
     .help = "constants of the time models that replace the built-in ones",
     .example = NULL},
    {.name = NULL},
};

const struct option way_options[] = {
    {.name = "backend",
     .value = "NAME",
     .fallback = "best",
     .words = WORDS_OF(RIDGE_BACKEND_MAP, "; another counts as best"),
     .help = "the library whose kernels are meant",
     .example = "--backend trtllm"},
    {.name = "timing",
     .value = "HOW",
     .kind = OPTION_WORD,
     .fallback = "graph",
     .words = WORDS_OF(RIDGE_TIMING_MAP, ""),
     .also = timing_code,
     .help = "what is timed: one launch in a CUDA graph, the kernel alone (a profiler), "
             "back-to-back launches, or a framework call",
     .example = "--timing kernel"},
    {.name = NULL},
};

const struct option question_options[] = {
    {.name = "count",
     .value = "WHICH",
     .kind = OPTION_WORD,
     .fallback = "model",
     .words = "model executed",
     .help = "FLOP of the mathematics, or those that the usual kernel executes",
     .example = "--count executed"},
    {.name = "tile",
     .value = "MxN",
     .help = "the output tile of a matrix product; by default the model picks the best",
     .example = "--tile 256x128"},
    {.name = "strict",
     .kind = OPTION_FLAG,
     .help = "a figure that was borrowed from another part or guessed is an error",
     .example = "--gpu example --strict"},
    {.name = NULL},
};

const struct option output_options[] = {
    {.name = "format",
     .value = "FORMAT",
     .kind = OPTION_WORD,
     .fallback = "text",
     .words = WORDS_OF(RIDGE_FORMAT_MAP, ""),
     .help = "how results are written",
     .example = "--format json"},
    {.name = "json",
     .kind = OPTION_FLAG,
     .same = "format=json",
     .help = "short for --format json",
     .example = "--json"},
    {.name = "csv",
     .kind = OPTION_FLAG,
     .same = "format=csv",
     .help = "short for --format csv",
     .example = "--csv"},
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .help = "write there instead of standard output; no partial file is ever left",
     .example = "-o result.txt"},
    {.name = "color",
     .value = "WHEN",
     .kind = OPTION_WORD,
     .fallback = "auto",
     .words = "auto always never",
     .help = "colour in text; auto: on a terminal, unless NO_COLOR is set",
     .example = "--color never"},
    {.name = NULL},
};

const struct option detail_options[] = {
    {.name = "explain",
     .kind = OPTION_FLAG,
     .help = "every formula with its numbers, and the source of every hardware figure",
     .example = "--explain"},
    {.name = "verify",
     .kind = OPTION_FLAG,
     .help = "the profiler command that would check the estimate",
     .example = "--verify"},
    {.name = NULL},
};

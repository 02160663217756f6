/* The topics of `ridge help`: how to time a kernel, and a first analysis. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

static const struct topic_row measure_rows[] = {
    {.text = "Decide what is timed, and tell ridge: the kernel alone (--timing kernel), "
             "one node of a CUDA graph (graph, the default), back-to-back launches on a "
             "stream (stream), or a call from the framework (eager). They differ by "
             "microseconds, which decides small kernels."},
    {.command = "kernel rmsnorm rows=64 cols=4096 dtype=bf16 --gpu h100-sxm --timing "
                "eager"},
    {.text = "Warm up: the first calls compile, load modules, allocate, choose an "
             "algorithm and raise the clock. Discard at least ten, and those of each "
             "new shape."},
    {.text = "A launch returns before the work is done. Put events around the work, and "
             "wait for the second one before reading them; on the host, synchronise "
             "before starting and before stopping the timer. A timer without that "
             "measures the launch, and shows as below_floor.",
     .code = "cudaEventRecord(start, stream);\n"
             "for (int i = 0; i < n; i++)\n"
             "    kernel<<<grid, block, 0, stream>>>(buffer[i % count]);\n"
             "cudaEventRecord(stop, stream);\n"
             "cudaEventSynchronize(stop);\n"
             "cudaEventElapsedTime(&ms, start, stop);    /* of n launches */"},
    {.text = "Repeat. One event pair around many launches is better than many pairs "
             "around one where the kernel is shorter than about 10 us: an event pair "
             "resolves about half a microsecond. Then repeat that whole, and give every "
             "time: ridge takes the median and shows the range. A mean hides "
             "the outliers, a minimum hides the machine."},
    {.command = "kernel custom flop=10GFLOP bytes=1GB --gpu example --time "
                "2.01ms,2.05ms,2.1ms"},
    {.text = "Cold or warm: repeating one call on the same small buffers times the L2 "
             "cache, not DRAM. Rotate over buffers that together are larger than L2 (as "
             "above), or overwrite a buffer of twice L2 between the runs, outside of "
             "the events; or say --warm. Inside a model weights are cold, and what the "
             "kernel before wrote may be warm."},
    {.command = "kernel custom flop=0 bytes=16MiB dtype=fp32 --gpu rtx5090 --time 8.2us"},
    {.text = "Fix the clock (nvidia-smi --lock-gpu-clocks=1410,1410), or log it while "
             "timing (nvidia-smi --query-gpu=clocks.sm,power.draw,temperature.gpu "
             "--format=csv -lms 100) and give it. Peaks are quoted at the boost clock; "
             "long products run below it, as power is limited."},
    {.command = "kernel gemm m=8192 n=8192 k=8192 dtype=bf16 --gpu h100-sxm --clock "
                "1.4GHz --time 1.7ms"},
    {.text = "Use data of the real kind: products of zeros switch fewer transistors and "
             "run faster than those of random numbers. Leave nothing else on the part: "
             "no display, no other process, one MIG slice or all of them."},
    {.text = "Check that count and time are of the same work: FLOP, bytes and dtype. "
             "--verify prints the command that counts them on the device, for its pipe "
             "and timing."},
    {.command = "kernel gemm m=4096 n=4096 k=4096 dtype=bf16 --gpu h100-sxm --verify"},
    {.text = "What not to do: time one call; time the first call; stop a host timer "
             "without a synchronisation; subtract an empty loop; read time under a "
             "profiler that serialises (ncu) as that of the program; compare rates where "
             "the work changed; compare a cold time with a warm one, or with a peak of "
             "another precision, another clock, or with 2:4 sparsity."},
    {NULL, NULL, NULL},
};

static const struct topic_row workflow_rows[] = {
    {.text = "Fix the task: which kernel, its shape, its precision, and the pipe that "
             "it runs on."},
    {.command = "op gemm"},
    {.text = "Look up the peak and the bandwidth that match them: dense, of this dtype "
             "and pipe, of this very part."},
    {.command = "gpu h100-sxm"},
    {.text = "Count the operations F and the bytes D that must move: each operand once."},
    {.command = "kernel gemm m=128 n=4096 k=4096 dtype=bf16 --gpu h100-sxm --explain"},
    {.text = "Compute the intensity I = F/D and compare it with the ridge point P/B: "
             "left of it bandwidth limits, right of it the peak does. From which size "
             "on is it the peak?"},
    {.command = "saturate gemm n=4096 k=4096 dtype=bf16 --solve m --gpu h100-sxm"},
    {.text = "The attainable rate is min(P, B I), and F over it is the floor: no run "
             "is shorter."},
    {.command = "plot --point 'gemm m=128 n=4096 k=4096 dtype=bf16' --gpu h100-sxm"},
    {.text = "Measure the time t; the achieved rate is F/t."},
    {.command = "help measure"},
    {.text = "Compare the point with the roof, and find the reason for the gap: the "
             "waterfall tells what clock, tiles, reachable rates and launch explain. "
             "Change one thing, and ask whether the time fell, not whether a rate rose."},
    {.command = "kernel gemm m=128 n=4096 k=4096 dtype=bf16 --gpu h100-sxm --time 20us"},
    {.command = "kernel gemm m=128 n=4096 k=4096 dtype=bf16 --gpu h100-sxm --time 20us "
                "--before 26us"},
    {NULL, NULL, NULL},
};

const struct topic topics[] = {
    {"measure", "how to time a kernel for a comparison with its roof", measure_rows},
    {"workflow", "a first analysis in seven steps", workflow_rows},
    {NULL, NULL, NULL},
};

const struct topic *topic_find(const char *name)
{
    for (const struct topic *t = topics; t->name; t++)
        if (strcmp(t->name, name) == 0)
            return t;
    return NULL;
}

/* A row of a topic that has neither text nor a command ends it. */
static bool ends(const struct topic_row *row)
{
    return !row->text && !row->command;
}

void help_topic_examples(struct run *run)
{
    for (const struct topic *t = topics; t->name; t++)
        for (const struct topic_row *row = t->rows; !ends(row); row++)
            if (row->command)
                say(run, "%s\n", row->command);
}

/* Each line of `text` after `indent` blanks. */
static void say_code(struct run *run, size_t indent, const char *text)
{
    while (*text) {
        size_t size = strcspn(text, "\n");
        say(run, "%*s%.*s\n", (int)indent, "", (int)size, text);
        text += size + (text[size] == '\n');
    }
}

/* Bytes that stay on a line: what is quoted, and an option with its value. */
static size_t together(const char *words)
{
    size_t n = words[0] == '\'' ? 2 + strcspn(words + 1, "'") : strcspn(words, " ");
    if (words[0] == '-' && words[n] == ' ' && words[n + 1] != '-')
        n += 1 + together(words + n + 1);
    return n;
}

void say_command(struct run *run, size_t indent, const char *words)
{
    enum {
        WIDTH = 78
    };
    size_t column = indent + strlen("ridge");
    say(run, "%*sridge", (int)indent, "");
    for (size_t n; *words; words += n, words += strspn(words, " ")) {
        n = together(words);
        if (column + 1 + n > WIDTH) {
            say(run, " \\\n%*s", (int)indent + 4, "");
            column = indent + 4;
        } else {
            say(run, " ");
            column++;
        }
        say(run, "%.*s", (int)n, words);
        column += n;
    }
    say(run, "\n");
}

void help_topic(struct run *run, const struct topic *topic)
{
    enum {
        INDENT = 4
    };
    int number = 0;
    char title[128];
    snprintf(title, sizeof title, "ridge help %s: %s", topic->name, topic->summary);
    say_wrapped(run, 0, 0, title);
    for (const struct topic_row *row = topic->rows; !ends(row); row++) {
        if (row->text) {
            say(run, "\n%2d. ", ++number);
            say_wrapped(run, INDENT, INDENT, row->text);
        }
        if (row->code)
            say_code(run, INDENT + 2, row->code);
        if (row->command)
            say_command(run, INDENT + 2, row->command);
    }
}

void help_man_topic(struct run *run, const struct topic *topic)
{
    help_man_head(run, topic->name, topic->summary, 7);
    say(run, ".Sh DESCRIPTION\n.Bl -enum\n");
    for (const struct topic_row *row = topic->rows; !ends(row); row++) {
        if (row->text) {
            say(run, ".It\n");
            say_mdoc(run, row->text);
            say(run, "\n");
        }
        if (row->code) {
            say(run, ".Bd -literal -offset 2n\n");
            say_mdoc(run, row->code);
            say(run, "\n.Ed\n");
        }
        if (row->command) {
            say(run, ".Dl ridge ");
            say_mdoc(run, row->command);
            say(run, "\n");
        }
    }
    say(run, ".El\n.Sh SEE ALSO\n.Xr ridge 1\n");
}

#include "cli.h"

#include <string.h>

/* clang-format off */
const struct command *const commands[] = {
    &command_kernel,
    &command_comm,
    &command_saturate,
    &command_fuse,
    &command_latency,
    &command_plot,
    &command_gpus,
    &command_gpu,
    &command_systems,
    &command_system,
    &command_links,
    &command_link,
    &command_ops,
    &command_op,
    &command_predict,
    &command_score,
    &command_fit,
    &command_help,
    NULL,
};
/* clang-format on */

bool command_later(const char *name)
{
    static const char *const later[] = {
        "run", "llm", "sweep", "bench", "profile",
    };
    for (size_t i = 0; i < COUNT(later); i++)
        if (strcmp(later[i], name) == 0)
            return true;
    return false;
}

const struct command *command_find(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

#include "cli.h"

#include <string.h>

/* clang-format off */
const struct command *const commands[] = {
    &command_kernel,
    &command_plot,
    &command_gpus,
    &command_gpu,
    &command_ops,
    &command_op,
    &command_predict,
    &command_help,
    NULL,
};
/* clang-format on */

const struct command *command_find(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

#include <ridge.h>
#include <stdio.h>

int main(void)
{
    puts(ridge_version());
    return 0;
}

/* Functions that are unsafe or depend on the host's locale: using one is a build
 * error. */
#ifndef RIDGE_BANNED_H
#define RIDGE_BANNED_H

/* Their own declarations must have been seen before the names are poisoned. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__GNUC__)
#pragma GCC poison strcpy strcat strncpy strncat strtok sprintf vsprintf
#pragma GCC poison atoi atol atof gmtime localtime asctime ctime
#endif

#endif

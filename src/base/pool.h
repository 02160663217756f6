/* A small pool on POSIX threads. */
#ifndef RIDGE_POOL_H
#define RIDGE_POOL_H

#include <ridge.h>

/* Online cores, at least 1, at most RIDGE_LIMIT_THREADS. */
unsigned ridge__pool_cores(void);

typedef void (*ridge__task)(void *ctx, unsigned worker, size_t i);

/*
 * Call task(ctx, worker, i) once for each i in [0, count), from up to `threads` threads
 * (0: one per core); worker is below that number.  Returns when all are done.  A task
 * writes only slot i and its worker's scratch, so results do not depend on the threads.
 * If threads cannot be started the caller does all the work.
 */
void ridge__pool_run(size_t count, unsigned threads, ridge__task task, void *ctx);

#endif

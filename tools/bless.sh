#!/bin/sh
# Accept what the golden cases print now, after looking at the difference.
#
#   tools/bless.sh [CASE...]        with build/dev/ridge
cd "$(dirname "$0")/.." || exit 2
BLESS=1 tests/golden/run.sh build/dev/ridge "$@" && git diff --stat -- tests/golden/cases

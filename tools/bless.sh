#!/bin/sh
# Accept what the program prints now, after looking at the difference.
#
#   tools/bless.sh [CASE...]        the golden cases, with build/dev/ridge
#   tools/bless.sh docs             the documents, and docs/articles in both languages
cd "$(dirname "$0")/.." || exit 2
if [ "${1-}" = docs ]; then
    tests/docs/articles.sh --bless build/dev/ridge
    git ls-files 'README*.md' ARCHITECTURE.md CONTRIBUTING.md 'docs/*.md' |
        xargs tests/docs/run.sh --bless build/dev/ridge
    git diff --stat -- '*.md' docs/img
else
    BLESS=1 tests/golden/run.sh build/dev/ridge "$@" &&
        git diff --stat -- tests/golden/cases
fi

#!/bin/sh
# Every example of every command and option must run: they come from the help tables.
#
#   examples.sh RIDGE EXAMPLES_FOLDER
set -u
ridge=$1 folder=$2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" && ln -s "$ridge" "$scratch/bin/ridge"
PATH=$scratch/bin:$PATH
export PATH
cp -R "$folder/." "$scratch/" && cd "$scratch" || exit 2
ridge help --examples >list || exit 1
failed=0 count=0
while IFS= read -r words; do
    count=$((count + 1))
    # The line is a shell line: quotes group words there as they do for a user.
    if ! eval "ridge $words" >out 2>err </dev/null; then
        echo "FAILED: ridge $words"
        cat err
        failed=1
    fi
done <list
echo "$count examples"
[ $count -gt 0 ] && exit $failed

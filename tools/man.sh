#!/bin/sh
# Write the manual pages: ridge.1, one per command, and the topics in section 7, from the program's own tables.
#
#   tools/man.sh RIDGE FOLDER
set -eu
ridge=$1 folder=$2
mkdir -p "$folder"
"$ridge" help --man >"$folder/ridge.1"
for command in $("$ridge" help --examples | cut -d' ' -f1 | sort -u); do
    "$ridge" help --man "$command" >"$folder/ridge-$command.1"
done
for topic in measure workflow; do
    "$ridge" help --man "$topic" >"$folder/ridge-$topic.7"
done

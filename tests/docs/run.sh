#!/bin/sh
# usage: tests/docs/run.sh [--bless] RIDGE FILE.md...
#
# The examples in the documents must be what happens:
#   ```console       lines after "$ " are run, with RIDGE on the PATH; the lines below must
#                    be the output (both streams).  A line "..." stands for any lines.
#   ```yaml NAME     is written to NAME, for the commands that follow.
#   ```c DIR/NAME    must be that file of the project.
# A picture that the commands write must be that of docs/img with the same name.
# --bless writes what does happen into the documents, to be reviewed as a diff.
set -u
bless=
[ "$1" != --bless ] || { bless=1; shift; }
top=$(cd "$(dirname "$0")/../.." && pwd)
PATH=$(cd "$(dirname "$1")" && pwd):$PATH
shift
export LC_ALL=C COLUMNS=80
unset NO_COLOR
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
commands=0

# Prints the expected output if the actual one fits it, else the actual one.
settle() { # EXPECTED ACTUAL
    awk -v expected="$1" -v actual="$2" '
        function fits(i, j) {
            if (i > n) return j > m
            if (e[i] == "...") {
                for (; j <= m + 1; j++) if (fits(i + 1, j)) return 1
                return 0
            }
            return j <= m && e[i] == a[j] && fits(i + 1, j + 1)
        }
        BEGIN {
            while ((getline line < expected) > 0) e[++n] = line
            while ((getline line < actual) > 0) a[++m] = line
            if (fits(1, 1)) for (i = 1; i <= n; i++) print e[i]
            else for (j = 1; j <= m; j++) print a[j]
        }'
}
# Runs the command that was read, if there is one, and settles its output.
finish_command() {
    [ -n "$command" ] || return 0
    (cd "$work/dir" && eval "$command") >"$work/actual" 2>&1 </dev/null
    settle "$work/expected" "$work/actual"
    commands=$((commands + 1))
    command=
}
# The document with every output as it is, on standard output.
rerun() {
    state=text command=
    while IFS= read -r line || [ -n "$line" ]; do
        case $state:$line in
        text:'```console') state=console ;;
        text:'```'*' '*/*)
            state=copy
            printf '%s\n' "$line"
            cat "$top/${line#* }"
            continue
            ;;
        text:'```'*' '*)
            state=file target=$work/dir/${line#* }
            : >"$target"
            ;;
        text:'```'*) state=other ;;
        console:'```')
            finish_command
            state=text
            ;;
        console:'$ '*)
            finish_command
            command=${line#??}
            : >"$work/expected"
            ;;
        console:*)
            # A command goes on after a backslash; all else is output.
            case $command in
            *'\')
                command="${command%?}$line"
                ;;
            *)
                printf '%s\n' "$line" >>"$work/expected"
                continue
                ;;
            esac
            ;;
        *:'```') state=text ;;
        copy:*) continue ;;
        file:*) printf '%s\n' "$line" >>"$target" ;;
        esac
        printf '%s\n' "$line"
    done
    echo "$commands" >"$work/commands"
}

failed=0 total=0
for file in "$@"; do
    rm -rf "$work/dir"
    mkdir "$work/dir"
    commands=0
    rerun <"$file" >"$work/new"
    total=$((total + $(cat "$work/commands")))
    for picture in "$work"/dir/*.svg; do
        kept=$top/docs/img/$(basename "$picture")
        [ ! -e "$kept" ] || cmp -s "$picture" "$kept" && continue
        [ -z "$bless" ] || { cp "$picture" "$kept"; continue; }
        echo "$kept differs from what $file draws"
        failed=1
    done
    cmp -s "$file" "$work/new" && continue
    if [ -n "$bless" ]; then
        cp "$work/new" "$file"
    else
        diff -u "$file" "$work/new"
        failed=1
    fi
done
echo "$total commands in $# documents"
exit $failed

#!/bin/sh
# Every example of every command and option must run: they come from the help tables.
# Text results keep within 80 columns.
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
    case $words in
    *json* | *csv* | *--man*) ;;
    *)
        # Columns, not bytes: what continues a UTF-8 character takes none.
        LC_ALL=C tr -d '\200-\277' <out | awk -v words="$words" '
            length > 80 { print "TOO WIDE: ridge " words ": " $0; bad = 1 }
            END { exit bad }' || failed=1
        ;;
    esac
done <list
# So does every help page.
for name in $(ridge help --examples | cut -d' ' -f1 | sort -u); do
    ridge "$name" --help | awk -v name="$name" '
        length > 80 { print "TOO WIDE: ridge " name " --help: " $0; bad = 1 }
        END { exit bad }' || failed=1
done
# And what is told of each part, system and link.
page() {
    ridge "$@" | LC_ALL=C tr -d '\200-\277' | awk -v page="$*" '
        length > 80 { print "TOO WIDE: ridge " page ": " $0; bad = 1 }
        END { exit bad }' || failed=1
}
for id in $(ridge gpus --csv | sed 1d | cut -d, -f1); do
    page gpu "$id"
    page latency --gpu "$id"
done
for id in $(ridge systems --csv | sed 1d | cut -d, -f1); do page system "$id"; done
for id in $(ridge links --csv | sed 1d | cut -d, -f1); do page link "$id"; done
echo "$count examples"
[ $count -gt 0 ] && exit $failed

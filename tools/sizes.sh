#!/bin/sh
# The limits of CONTRIBUTING.md: functions of at most 100 lines and complexity 20, files of
# at most 800 lines.  (At most 7 parameters: clang-tidy.)  Exceptions, each with its reason,
# are in tools/sizes-exceptions.txt.
set -u
cd "$(dirname "$0")/.." || exit
files=$(git ls-files --cached --others --exclude-standard 'src/*.c' 'cli/*.c' 'plugins/*.c' 'bench/*.c' \
    'examples/*.c' 'tests/*.c' 'tools/*.c')
{
    for file in $files; do [ -f "$file" ] && echo "$file"; done | xargs pmccabe
    git ls-files --cached --others --exclude-standard '*.c' '*.h' | xargs wc -l |
        sed -nE 's/^ *([0-9]+) (.*\.[ch])$/FILE \1 \2/p'
} | awk '
    BEGIN {
        while ((getline line < "tools/sizes-exceptions.txt") > 0)
            if (line !~ /^#/ && split(line, word, " ") >= 2)
                excepted[word[1] " " word[2]] = 1
    }
    function complain(file, name, text) {
        if ((file " " name) in excepted)
            return
        print file ": " name ": " text
        failed = 1
    }
    $1 == "FILE" {
        if ($2 > 800) complain($3, "-", $2 " lines; 800 at most")
        next
    }
    {
        # modified complexity, complexity, statements, first line, lines, file(line): name
        file = $6; sub(/\(.*/, "", file)
        if ($1 > 20) complain(file, $NF, "complexity " $1 "; 20 at most")
        if ($5 > 100) complain(file, $NF, $5 " lines; 100 at most")
    }
    END { exit failed }'

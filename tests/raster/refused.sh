#!/bin/sh
# usage: refused.sh RIDGE FOLDER_OF_ANOTHER_VERSION: a picture that cannot be drawn is one
# line on standard error, status 2 and no file.
set -u
ridge=$1 other=$2 failed=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
mkdir out broken
echo "no object" >broken/ridge_raster.so

# refused FOLDER FILE PATTERN [OPTION...]
refused() {
    folder=$1 file=$2 pattern=$3
    shift 3
    RIDGE_PLUGIN_DIR=$folder "$ridge" plot --gpu example -o "out/$file" "$@" 2>err >text
    status=$?
    [ $status = 2 ] || { echo "FAILED: $folder $file: status $status"; failed=1; }
    [ "$(wc -l <err)" = 1 ] && grep -qE "$pattern" err ||
        { echo "FAILED: $folder $file: said:"; cat err; failed=1; }
    [ -z "$(ls out)" ] && [ ! -s text ] ||
        { echo "FAILED: $folder $file: something was written"; failed=1; }
}
missing='^ridge: out/a\.(png|pdf): the plug-in ridge_raster\.so is not in /nowhere; '
missing=$missing'install librsvg2-dev and build ridge again, or write a \.svg$'
refused /nowhere a.png "$missing"
refused /nowhere a.pdf "$missing"
refused broken a.png '^ridge: broken/ridge_raster\.so: cannot load the plug-in: '
refused "$other" a.png 'the plug-in speaks version 2 and this ridge 1; build both'
refused /nowhere a.png 'takes no --json or --csv' --csv
refused /nowhere a.svg '^ridge: --scale: is the number of pixels of a PNG' --scale 2
refused /nowhere a.pdf '^ridge: --scale: is the number of pixels of a PNG' --scale 2
refused /nowhere a.jpg '^ridge: out/a\.jpg: charts are written as \.svg, \.png, \.pdf or \.txt$'
exit $failed

#!/bin/sh
# usage: browser.sh CHECK GOLDEN_FOLDER: a real browser draws the golden charts, in a page as
# wide as a screen and as a telephone.
set -u
check=$1 golden=$2 failed=0
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
    { echo "no chromium: skipped"; exit 77; }
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
# shoot NAME WIDTH: the chart fills the width of a white page.
shoot() {
    cp "$golden/chart_$1.svg" chart.svg
    echo '<body style="margin:0;background:#fff"><img src="chart.svg" style="width:100%">' >page.html
    rm -f shot.png
    timeout 100 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
        --hide-scrollbars --user-data-dir="$work/profile" --window-size="$2,1000" \
        --screenshot="$work/shot.png" "file://$work/page.html" >log 2>&1
    [ -s shot.png ] || { echo "the browser made no picture: skipped"; tail -3 log; exit 77; }
}
# The mark, the peak and the text of the primer; the second machine's purple.
shoot primer 1280
"$check" shot.png c23b00 0060a8 1b2229 || { echo "FAILED: primer"; failed=1; }
shoot machines 1280
"$check" shot.png 0060a8 8a3a8f 00705f || { echo "FAILED: machines"; failed=1; }
shoot machines 480
"$check" shot.png || { echo "FAILED: machines on a telephone"; failed=1; }
exit $failed

#!/bin/sh
# usage: pictures.sh RIDGE CHECK: PNG and PDF are what they should be, by decoding them.
set -u
ridge=$1 check=$2 failed=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
unset RIDGE_PLUGIN_DIR
fault() { echo "FAILED: $*"; failed=1; }
draw() {
    "$ridge" plot --gpu h100-sxm --point 'gemm m=4096 n=4096 k=4096 dtype=bf16 time=200us' \
        -o "$@" 2>err || { fault "$1: $(cat err)"; exit 1; }
}
draw a.svg
draw a.png
draw again.png
draw small.png --scale 1
draw a.pdf
draw again.pdf

# Twice as many pixels as the SVG has units, which is told in its first line.
width=$(sed -nE 's/^<svg .* width="([0-9]+)" .*/\1/p' a.svg)
height=$(sed -nE 's/^<svg .* height="([0-9]+)" .*/\1/p' a.svg)
[ "$(od -An -tx1 -N8 a.png | tr -d ' ')" = 89504e470d0a1a0a ] || fault "no PNG signature"
# The mark, the peak's line, the slope: each in its colour.
size=$("$check" a.png c23b00 0060a8 1b2229) || fault "$size"
[ "$size" = "$((2 * width)) $((2 * height))" ] || fault "the PNG is $size, not twice $width $height"
size=$("$check" small.png) || fault "$size"
[ "$size" = "$width $height" ] || fault "the small PNG is $size, not $width $height"
cmp a.png again.png || fault "the same chart, other bytes"

[ "$(head -c 5 a.pdf)" = %PDF- ] || fault "no PDF header"
tail -c 6 a.pdf | grep -q EOF || fault "the PDF has no end"
cmp a.pdf again.pdf || fault "the same chart, another PDF"
if command -v pdftotext >/dev/null; then
    pdftotext a.pdf - >text || fault "pdftotext"
    for want in 'ridge 295' '989 TFLOP/s bf16 matrix' 'gemm m=4096 n=4096 k=4096'; do
        grep -qF "$want" text || fault "the PDF does not say \"$want\""
    done
    pdfinfo a.pdf | grep -q '^Pages: *1$' || fault "not one page"
else
    echo "pdftotext is not installed: the text of the PDF is not read"
fi

# A run that draws none pays for none.
if ldd "$ridge" | grep -E 'rsvg|cairo|glib'; then fault "the program links them"; fi
if LD_DEBUG=files "$ridge" plot --gpu example -o b.svg 2>&1 | grep -q rsvg; then
    fault "an SVG opens the plug-in"
fi
# An SVG that cannot be drawn at that size.
"$ridge" plot --gpu example -o large.png --scale 17 2>err && fault "scale 17 was drawn"
grep -q "a picture's scale is above 0 and at most 16" err || fault "scale 17: $(cat err)"
[ ! -e large.png ] || fault "large.png was left"
# The disk is full.
if [ -c /dev/full ]; then
    ln -s /dev/full full.png
    "$ridge" plot --gpu example -o full.png 2>err && fault "a full disk was not noticed"
    grep -q '^ridge: /dev/full: cannot write: ' err || fault "full: $(cat err)"
fi
exit $failed

#!/bin/sh
# The manual pages are well-formed mdoc.
#
#   man.sh MAN_FOLDER
command -v mandoc >/dev/null || { echo "mandoc is not installed: skipped"; exit 77; }
set -- "$1"/*.1 "$1"/*.7
[ -e "$1" ] || { echo "no manual pages"; exit 1; }
mandoc -Tlint -Wwarning "$@"

#!/bin/sh
# usage: tools/install-packages.sh SET...    (the sets of tools/packages.txt)
# Installs what is missing as root; otherwise prints the line to run, and fails.
set -eu
cd "$(dirname "$0")/.."
wanted=$(sed -nE "s/^($(echo "$*" | tr ' ' '|')) //p" tools/packages.txt)
if ! command -v dpkg-query >/dev/null; then
    echo "not a Debian system: these packages, or their equivalents, are needed:" $wanted >&2
    exit 0
fi
present=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' $wanted 2>/dev/null |
    sed -n 's/^installed //p')
missing=
for package in $wanted; do
    echo "$present" | grep -qxF "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" != 0 ]; then
    echo "some packages are missing; run this once, then again what you ran:" >&2
    echo "  sudo apt-get install --no-install-recommends$missing" >&2
    exit 1
fi
echo "installing:$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
if ! { apt-get update && apt-get install -y --no-install-recommends $missing; } \
    >"$log" 2>&1 </dev/null; then
    tail -15 "$log" >&2
    exit 1
fi

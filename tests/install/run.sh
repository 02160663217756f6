#!/bin/sh
# usage: tests/install/run.sh BUILD: install BUILD to a temporary prefix, move it (it must be
# relocatable), and build and run a consumer by pkg-config, statically, and by find_package.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cmake --install "$build" --prefix "$dir/first" >install.log
mv first usr
PKG_CONFIG_PATH=$(dirname "$(find "$dir/usr" -name ridge.pc)")
export PKG_CONFIG_PATH
lib=$(dirname "$PKG_CONFIG_PATH")
version=$(pkg-config --modversion ridge)

echo "pkg-config, shared:"
gcc -std=c17 "$here/consumer.c" $(pkg-config --cflags --libs ridge) -o shared
LD_LIBRARY_PATH=$lib ./shared
echo "pkg-config, static:"
gcc -std=c17 "$here/consumer.c" $(pkg-config --cflags ridge) "$lib/libridge.a" \
    $(pkg-config --static --libs-only-l ridge | sed 's/-lridge//') -pthread -o static
./static
echo "find_package:"
cmake -S "$here" -B found -G Ninja -DCMAKE_PREFIX_PATH="$dir/usr" -DEXPECTED="$version" \
    >found.log || { cat found.log; exit 1; }
cmake --build found >found.log || { cat found.log; exit 1; }
./found/consumer
# A version that this one does not serve is refused.
if cmake -S "$here" -B newer -G Ninja -DCMAKE_PREFIX_PATH="$dir/usr" -DEXPECTED=999 \
    >newer.log 2>&1; then
    echo "find_package(ridge 999) was satisfied by $version" >&2
    exit 1
fi
echo "program:"
[ "$("usr/bin/ridge" --version | tr -dc '0-9.')" = "$version" ] || {
    echo "ridge --version does not say $version" >&2
    exit 1
}
[ -n "$(find usr -name ridge-kernel.1)" ] || {
    echo "no manual pages were installed" >&2
    exit 1
}
# Where the plug-in was built it is installed, and found from the program.
if [ -e "$build/plugins/ridge_raster.so" ]; then
    (unset RIDGE_PLUGIN_DIR; usr/bin/ridge plot --gpu example -o chart.png) || exit 1
    [ "$(head -c 4 chart.png | tail -c 3)" = PNG ] || {
        echo "the installed program draws no PNG" >&2
        exit 1
    }
fi

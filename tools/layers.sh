#!/bin/sh
# Refuse what the include paths of cmake/ridge_module.cmake cannot: relative includes,
# libraries outside their module, and the host's state outside the program.
set -u
cd "$(dirname "$0")/.." || exit
failed=0
# refuse WHAT PATTERN FILE...: no file may have a line of PATTERN.
refuse() {
    what=$1 pattern=$2
    shift 2
    [ $# -gt 0 ] || return 0
    if grep -nHE "$pattern" "$@"; then
        echo "layers: $what" >&2
        failed=1
    fi
}
# files DIR... except those whose module is named after --
sources() { find "$@" -name '*.[ch]' | sort; }
except() { grep -vE "^src/($1)/" || true; }

refuse 'a relative include leads past the module map' \
    '^ *# *include *"\.\./' $(sources src cli include tests examples)
refuse 'only format, and the schema tables of hw, include libcyaml' \
    '<cyaml/|<yaml\.h>' $(sources src cli | except 'format|hw')
refuse 'only format includes zlib, libcsv and yajl' \
    '<zlib\.h>|<csv\.h>|<yajl/' $(sources src cli | except format)
refuse 'only fit includes nlopt' \
    '<nlopt' $(sources src cli | except fit)
refuse 'only base includes pthread.h; others use base/pool.h' \
    '<pthread\.h>' $(sources src cli | except base)
refuse 'only raster opens shared objects' \
    '<dlfcn\.h>' $(sources src cli | except raster)
modules=$(sed -nE 's/^ridge_module\(([a-z]+).*/\1/p' CMakeLists.txt | paste -sd '|')
refuse 'the program sees <ridge.h> alone' \
    "^ *# *include *\"($modules)/" $(sources cli examples bench)
refuse 'a plug-in sees <ridge.h> and the plugin.h that it fills' \
    "^ *# *include *\"($modules)/([^p]|p[^l]|pl[^u])" $(sources plugins)
refuse 'the library does not print, exit, or read the environment' \
    '(^|[^a-z_])(printf|puts|putchar|perror|exit|abort|getenv|setlocale|srand|rand)\(|[^a-z_](stdout|stderr)[^a-z_]' \
    $(sources src)

# The include graph that is there against the one that CMakeLists.txt allows.
allowed=$(sed -nE 's/^ridge_module\(([a-z]+)(.*)\)$/\1 \2/p' CMakeLists.txt |
    sed -E 's/ LIBS .*//; s/ USES / /')
for edge in $(grep -rhoE --include='*.[ch]' -H '^# *include "[a-z]+/' src |
    sed -nE 's|^src/([a-z]+)/[^:]*:# *include "([a-z]+)/|\1:\2|p' | sort -u); do
    from=${edge%:*} to=${edge#*:}
    [ "$from" = "$to" ] && continue
    if ! echo "$allowed" | grep -qE "^$from .*\b$to\b"; then
        echo "layers: $from includes $to, which its ridge_module() does not list" >&2
        failed=1
    fi
done
exit $failed

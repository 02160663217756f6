# Assertions on what the program says, for the guards: sh guard_NN_name.sh RIDGE
#
#   runs CODE WORDS...   the program ends with that status; what it says is kept
#   says TEXT            on standard output; line breaks and runs of blanks count as one
#   silent TEXT          not on standard output
#   complains TEXT       on standard error
#   holds FILTER         jq's, of the kept output
#   have COMMAND         the program has the command, else the test is skipped
set -u
ridge=$1
case $ridge in /*) ;; *) ridge=$PWD/$ridge ;; esac
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C
unset NO_COLOR
cd "$scratch" || exit 2
last=

fault() {
    echo "FAILED: ridge $last"
    echo "  $*"
    sed 's/^/  | /' out err
    exit 1
}
runs() {
    want=$1
    shift
    last="$*"
    "$ridge" "$@" >out 2>err </dev/null
    status=$?
    [ $status -eq "$want" ] || fault "exit status $status, not $want"
    tr -s ' \n' ' ' <out >joined
}
says() { grep -qF -e "$1" joined || fault "does not say \"$1\""; }
silent() { ! grep -qF -e "$1" joined || fault "says \"$1\""; }
complains() { grep -qF -e "$1" err || fault "does not complain \"$1\""; }
holds() {
    command -v jq >/dev/null || { echo "jq is not installed: skipped"; exit 77; }
    jq -e "$1" out >/dev/null || fault "does not hold: $1"
}
have() {
    "$ridge" help "$1" >/dev/null 2>&1 || "$ridge" op "$1" >/dev/null 2>&1 ||
        { echo "no $1 in this version: skipped"; exit 77; }
}

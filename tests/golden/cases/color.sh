# Colour only where it is asked for: standard output is no terminal here.
esc=$(printf '\033')
ridge kernel custom flop=1 bytes=1 --gpu example | grep -c "$esc"
ridge kernel custom flop=1 bytes=1 --gpu example --color always | grep -c "$esc"
ridge kernel custom flop=1 bytes=1 --gpu example --color always --json | grep -c "$esc"
true

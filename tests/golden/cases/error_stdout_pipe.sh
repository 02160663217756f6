# The reader is gone before the first byte: no signal, one line, status 2.
mkfifo pipe
: <pipe &
exec 3>pipe
wait
ridge kernel custom flop=1 bytes=1 --gpu example >&3

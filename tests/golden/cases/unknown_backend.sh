# The list of backends is open: another one counts as the best, with a warning, unless
# nothing guessed is wanted.
ridge kernel copy n=1048576 dtype=bf16 --gpu h100-sxm --backend mine
ridge kernel copy n=1048576 dtype=bf16 --gpu h100-sxm --backend mine --strict

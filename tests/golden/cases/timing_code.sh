# The codes of published tables are taken for --timing, as in a column.
ridge kernel copy n=1048576 dtype=bf16 --gpu h100-sxm --timing kineto_cold --csv
ridge kernel copy n=1048576 dtype=bf16 --gpu h100-sxm --timing kernel --csv
ridge kernel copy n=1048576 dtype=bf16 --gpu h100-sxm --timing zork

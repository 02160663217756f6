# The list by words, and a word that nothing has.
ridge gpus nvidia hopper
ridge gpus sxm5 80 --csv
ridge gpus no-such-part
echo "status $?"

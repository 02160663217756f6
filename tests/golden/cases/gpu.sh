# One part in full, two side by side, an id that is no id.
ridge gpu h100-sxm
ridge gpu h100-sxm h200-sxm
ridge gpu h100-sxm --csv >figures.csv
head -5 figures.csv
ridge gpu h100
echo "status $?"

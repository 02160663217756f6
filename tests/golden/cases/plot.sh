# The primer's chart: terminal, ASCII, figures, picture; and what is refused.
primer="custom flop=10GFLOP bytes=1GB"
ridge plot --gpu example --point "$primer" --time 2ms
ridge plot --gpu example --point "$primer time=2ms" --ascii
ridge plot --gpu example --point "$primer" --json
ridge plot --gpu example --point "$primer" --time 2ms -o chart.svg
echo "status $?"
grep -c "ridge 100" chart.svg
ridge plot --gpu example -o chart.png
echo "status $?"
ridge plot --gpu example --time 2ms
echo "status $?"
ridge plot --gpu example --point "$primer" --time 0.1ms >/dev/null
echo "status $?"
ls

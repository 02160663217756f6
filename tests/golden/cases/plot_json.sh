# Points from JSON: an estimate, an array, several documents, and a chart's own figures.
ridge kernel custom flop=10GFLOP bytes=1GB --gpu example --time 2ms --json >one.json
ridge kernel gemm m=64 n=4096 k=4096 dtype=bf16 --gpu example --json >two.json
{ printf '['; cat one.json; printf ','; cat two.json; printf ']'; } >array.json
ridge plot --gpu example --from one.json --from two.json --csv
ridge plot --gpu example --from array.json --json >chart.json
ridge plot --gpu example --from chart.json --json | cmp - chart.json && echo the same
cat one.json two.json | gzip | ridge plot --gpu example --from - --csv | tail -n 2
ridge plot --gpu h100-sxm --from one.json
echo "= $?"
printf '[{"op":"gemm","flop":1,"bytes":1,\n"expected_s":NaN}]' >nan.json
ridge plot --gpu example --from nan.json
echo "= $?"
printf '[{"op":"a","flop":1e9,"bytes":1e6,"floor_s":1e-3},\n\n{"op":"b","flop":-1}]' >bad.json
ridge plot --gpu example --from bad.json --csv
echo "= $?"
head -c 200 one.json >cut.json
ridge plot --gpu example --from cut.json -o never.svg
echo "= $?"
ridge plot --gpu example --from nothing.json
echo "= $?"
ls

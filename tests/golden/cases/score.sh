# Figures per group; a name that is too long has a line of its own.
cat >rows.csv <<'END'
gpu,dtype,layer,time_us,floor_us,expected_us,low_us,high_us,qc
a,bf16,up,10,5,11,10,12,
a,bf16,up,10,9,8,7.7,8.3,
b,bf16,a layer with a long name,10,11,15,14.5,15.5,
b,fp8,up,10,1,,,,
b,fp8,up,10,1,9,8,9,sub_floor
END
ridge score --by gpu,layer --min-rows 1 rows.csv
ridge score --by '' --json rows.csv
ridge score --csv --min-rows 2 <rows.csv

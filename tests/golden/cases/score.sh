# Figures per group; a name that is too long has a line of its own.
cat >rows.csv <<'END'
gpu,dtype,layer,time_us,floor_us,expected_us,low_us,high_us,qc
a,bf16,up,10,5,11,10,12,
a,bf16,up,10,9,8,7.7,8.3,
b,bf16,a layer with a long name,10,11,15,14.5,15.5,
b,fp8,up,10,1,,,,
b,fp8,up,10,1,9,8,9,sub_floor
END
# Columns stay apart however wide their numbers are.
cat >wide.csv <<'END'
gpu,dtype,time_us,floor_us,expected_us,low_us,high_us
a,bf16,1,0.5,12.3,10,14
b,bf16,1,3,69.31,20,9000
c,bf16,1,2,2000,1000,2100
END
ridge score --min-rows 1 wide.csv
ridge score --by gpu,layer --min-rows 1 rows.csv
ridge score --by '' --json rows.csv
ridge score --csv --min-rows 2 <rows.csv

# Cells that are no times are told, empty ones are not.
cat >rows.csv <<'END'
gpu,dtype,time_us,floor_us,expected_us,low_us,high_us
a,bf16,10,5,11,10,12
a,bf16,abc,5,11,10,12
a,bf16,-5,5,11,10,12
a,bf16,,5,11,10,12
END
ridge score --csv rows.csv

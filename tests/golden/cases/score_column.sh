# A column that is not there: exit 2, and no file.
echo time_us,expected_us >rows.csv
ridge score rows.csv --by gpu -o out.txt
code=$?
ls
exit $code

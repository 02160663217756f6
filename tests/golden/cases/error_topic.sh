ridge help measuring
echo $?

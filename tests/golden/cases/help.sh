ridge help
ridge --help | cmp - /dev/null 2>/dev/null && echo "--help is empty"

# Commands of the design that this version lacks say so.
ridge llm
echo $? >&2
ridge help sweep

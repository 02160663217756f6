# An example of more than a line ends its lines in a backslash.
ridge help saturate | sed -n '1,/^Usage/p; /^Examples/,$p'

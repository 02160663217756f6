ridge help ops
ridge op --help
ridge help help

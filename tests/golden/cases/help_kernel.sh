ridge kernel --help

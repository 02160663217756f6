ridge comm --help

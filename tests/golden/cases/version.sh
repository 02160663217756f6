ridge --version

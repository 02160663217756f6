ridge link nvlnk5

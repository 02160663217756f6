ridge systems hgx --csv

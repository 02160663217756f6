ridge system hgx

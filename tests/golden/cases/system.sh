ridge system hgx-h100

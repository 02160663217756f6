ridge system gb200-nvl72 gb200-nvl4 hgx-b200

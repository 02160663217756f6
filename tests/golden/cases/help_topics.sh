ridge help measure
ridge help workflow

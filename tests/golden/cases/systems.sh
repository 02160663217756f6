ridge systems hopper

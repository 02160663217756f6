ridge systems cray

"""One module per command of `emdia`."""

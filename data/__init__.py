"""What is known before any extract is read: the norms, the holidays, the sample municipality."""

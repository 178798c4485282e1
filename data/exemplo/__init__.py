"""A made-up municipality: three years of a registry under five norms, and three nights of it."""

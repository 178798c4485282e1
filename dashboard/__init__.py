"""What management sees: pending cassacoes and all that surrounds them, from the published copy alone."""

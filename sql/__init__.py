"""How rows become facts, in numbered layers of SQL, and the thin Python that runs them."""

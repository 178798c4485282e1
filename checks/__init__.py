"""Three questions, in this order: can this row be read, can tonight's load be trusted, is the operator in order."""

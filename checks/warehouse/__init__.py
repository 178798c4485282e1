"""Can tonight's load be trusted: the gate between the extracts and the registry."""

"""Text becomes dates, amounts and codes, as SQL generated from the contract."""

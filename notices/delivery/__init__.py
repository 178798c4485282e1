"""Delivering: ledger, brakes, transport. What was composed reaches each recipient once, and can be proved."""

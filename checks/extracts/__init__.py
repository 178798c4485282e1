"""Can this row be read? From a folder of extracts to typed tables; every refused row is kept and explained."""

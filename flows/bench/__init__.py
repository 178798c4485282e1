"""What a night costs, beside yardsticks taken on the same machine in the same process."""

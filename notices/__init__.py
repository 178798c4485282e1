"""What people receive: weekly notices, immediate ones, and the lists for who decides."""

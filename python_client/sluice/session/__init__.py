"""Sessions, what they fetch, and clusters."""

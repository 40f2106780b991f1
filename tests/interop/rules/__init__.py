"""Rules that draw valid inputs and attributes of an op."""

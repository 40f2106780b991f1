"""Assertions and printed messages."""

"""Conditionals, loops, functions and checks."""

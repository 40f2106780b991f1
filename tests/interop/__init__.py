"""Sluice beside TensorFlow: the same work by both, and the results are compared."""

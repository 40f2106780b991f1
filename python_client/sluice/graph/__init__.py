"""Graphs: operations, tensors, shapes, names and the values that programs give."""

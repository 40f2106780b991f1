# SPDX-License-Identifier: Apache-2.0
"""Lists of what a graph is made of."""

import math


def tensor_description(var):
    """Describes a tensor or a variable.

    Args:
        var: The tensor.

    Returns:
        A str such as "(float32_ref 2x3)".
    """
    shape = var.get_shape()
    size = "<unknown>" if shape.ndims is None else "x".join(str(dim.value) for dim in shape.dims)
    return f"({var.dtype.name} {size})"


def analyze_ops(graph, print_info=False):
    """Counts the elements of the outputs of all operations.

    Args:
        graph: The Graph.
        print_info: Whether the operations are printed. A bool.

    Returns:
        An int.
    """
    total = 0
    if print_info:
        print("---------\nOperations: name -> (type shapes) [size]\n---------")
    for op in graph.get_operations():
        size, shapes = 0, []
        for output in op.outputs:
            shape = output.get_shape()
            if shape.is_fully_defined():
                size += shape.num_elements()
            shapes.append(tensor_description(output))
        if print_info:
            print(f"{op.name}\t->\t{', '.join(shapes)}\t[{size}]")
        total += size
    return total


def analyze_vars(variables, print_info=False):
    """Counts the elements and bytes of variables.

    Args:
        variables: The variables, a list.
        print_info: Whether the variables are printed. A bool.

    Returns:
        Two ints: how many elements and how many bytes they have.
    """
    if print_info:
        print("---------\nVariables: name (type shape) [size]\n---------")
    elements = size = 0
    for var in variables:
        count = math.prod(dim.value for dim in var.get_shape().dims)
        of_this = count * var.dtype.size
        elements, size = elements + count, size + of_this
        if print_info:
            print(var.name, tensor_description(var), f"[{count}, bytes: {of_this}]")
    if print_info:
        print(f"Total size of variables: {elements}\nTotal bytes of variables: {size}")
    return elements, size


__all__ = ["analyze_ops", "analyze_vars", "tensor_description"]

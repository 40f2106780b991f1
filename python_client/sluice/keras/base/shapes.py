# SPDX-License-Identifier: Apache-2.0
"""Structures of shapes: as tuples of ints, or as TensorShapes."""

import functools

from ...graph.tensor_shape import Dimension, TensorShape
from ...nest import is_nested


def _is_shape(value):
    """Whether a value is one shape, not a structure of shapes."""
    if isinstance(value, (list, tuple)):
        return all(part is None or isinstance(part, (int, Dimension)) for part in value)
    return not is_nested(value)


def convert_shapes(input_shape, to_tuples=True):
    """Converts the shapes in a structure.

    Args:
        input_shape: A shape (a TensorShape, or a list or tuple of ints and None), or lists, tuples
            and dicts of shapes, nested.
        to_tuples: Whether shapes become tuples. A bool. False: TensorShapes.

    Returns:
        The structure. A shape of unknown rank stays a TensorShape.
    """
    if not _is_shape(input_shape):
        if isinstance(input_shape, dict):
            return {key: convert_shapes(part, to_tuples) for key, part in input_shape.items()}
        return type(input_shape)([convert_shapes(part, to_tuples) for part in input_shape])
    shape = TensorShape(input_shape)
    return tuple(shape.as_list()) if to_tuples and shape.ndims is not None else shape


def flat_shapes(input_shape):
    """Returns the shapes in a structure.

    Args:
        input_shape: The structure. Dicts are in the order of their keys.

    Returns:
        A list of shapes as the structure has them.
    """
    if _is_shape(input_shape):
        return [input_shape]
    parts = input_shape
    if isinstance(input_shape, dict):
        parts = [input_shape[key] for key in sorted(input_shape)]
    return [shape for part in parts for shape in flat_shapes(part)]


def shape_type_conversion(fn):
    """A decorator of build() and compute_output_shape() of a layer: they get tuples.

    Args:
        fn: The method, a function of the layer and a structure of shapes.

    Returns:
        The method. It returns TensorShapes.
    """

    @functools.wraps(fn)
    def method(instance, input_shape):
        if input_shape is not None:
            input_shape = convert_shapes(input_shape, to_tuples=True)
        output_shape = fn(instance, input_shape)
        return None if output_shape is None else convert_shapes(output_shape, to_tuples=False)

    return method

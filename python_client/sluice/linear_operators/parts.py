# SPDX-License-Identifier: Apache-2.0
"""What several linear operators compute alike."""

import functools

import numpy as np

from .. import dtypes
from ..graph.convert import convert_to_tensor
from ..graph.default_graph import name_scope
from ..graph.static_values import static_value as _static_value
from ..ops import array as arrays
from ..ops import linalg, math
from ..ops.debug.assertions import assert_equal, assert_less, assert_proper_iterable


def broadcast_batches(*matrices):
    """Broadcasts matrices [..., n, m] to one shape of their batches, which a list returns."""
    matrices = [convert_to_tensor(matrix) for matrix in matrices]
    shapes = [matrix.shape[:-2] for matrix in matrices]
    batch = functools.reduce(arrays.broadcast_static_shape, shapes)
    if batch.is_fully_defined():
        if all(shape.is_fully_defined() and shape == batch for shape in shapes):
            return matrices
        batch = np.array(batch.as_list(), np.int32)
    else:
        sizes = [arrays.shape(matrix)[:-2] for matrix in matrices]
        batch = functools.reduce(arrays.broadcast_dynamic_shape, sizes)
    return [
        arrays.broadcast_to(matrix, arrays.concat([batch, arrays.shape(matrix)[-2:]], 0))
        for matrix in matrices
    ]


def adjoint_if(condition, x):
    return linalg.adjoint(x) if condition else x


def conj_if(condition, x):
    return math.conj(x) if condition else x


def static_value(tensor):
    """The value of a scalar or vector that is constant, an array; None of another one."""
    return None if tensor is None else _static_value(tensor)


def shape_tensor(shape, name=None):
    """A size or shape as a tensor of ints."""
    empty = isinstance(shape, (tuple, list)) and not shape
    return convert_to_tensor(shape, dtypes.int32 if empty else None, name)


def known_shape(shape, tensor):
    """A shape that is known as an int32 vector, or else what tensor() gives."""
    return shape_tensor(shape.as_list()) if shape.is_fully_defined() else tensor()


def assert_not_zero(x, message):
    x = convert_to_tensor(x)
    modulus = math.abs(x)
    return assert_less(convert_to_tensor(0, modulus.dtype), modulus, message=message)


def assert_no_imaginary_part(x, message):
    imaginary = math.imag(x) if x.dtype.is_complex else arrays.zeros_like(x)
    return assert_equal(arrays.zeros_like(imaginary), imaginary, message=message)


def operators_of_one_dtype(operators):
    """The operators as a list, which must not be empty and have one dtype."""
    assert_proper_iterable(operators)
    operators = list(operators)
    if not operators:
        raise ValueError("Expected a non-empty list of operators. Found: []")
    if any(operator.dtype != operators[0].dtype for operator in operators):
        found = "   ".join(str((operator.name, operator.dtype)) for operator in operators)
        raise TypeError(f"Expected all operators to have the same dtype.  Found {found}")
    return operators


def implied(operators, hint, given, what):
    """A hint that follows where all operators have it. ValueError: the caller denies it."""
    if not all(getattr(operator, hint) for operator in operators):
        return given
    if given is False:
        raise ValueError(f"{what}: is_{hint[3:]} cannot be False, all operators have it.")
    return True


def hints_of_same(operator, what, **given):
    """The hints of an operator that shares them all with another one, joined with given ones.

    ValueError: they contradict each other.
    """
    found = {}
    for hint, value in given.items():
        own = getattr(operator, hint)
        if value is not None and own is not None and bool(own) != bool(value):
            raise ValueError(f"An operator and its {what} have the same {hint}, which is {own}.")
        found[hint] = own if value is None else value
    return found


def broadcast_batch_shape(operators):
    """The batch shape of several operators together, a TensorShape."""
    return functools.reduce(arrays.broadcast_static_shape, (o.batch_shape for o in operators))


def broadcast_batch_shape_tensor(operators):
    """The same as a vector."""
    sizes = [operator.batch_shape_tensor() for operator in operators]
    return functools.reduce(arrays.broadcast_dynamic_shape, sizes)


def scope(name):
    """A scope for the constants of a constructor."""
    return name_scope(name)

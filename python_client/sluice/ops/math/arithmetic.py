# SPDX-License-Identifier: Apache-2.0
"""Arithmetic, element by element."""

import numpy as np

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from ...graph.elements import IndexedSlices
from ...graph.tensor_shape import TensorShape
from .. import raw_ops
from ..array import cast, ones_like
from ..building import binary, thin, unary, with_names

subtract = binary(
    "Sub",
    """Computes x - y element by element.

    Example:
        >>> sl.Session().run(sl.subtract([5, 6], [1, 2]))
        array([4, 4], dtype=int32)
    """,
)


multiply = binary(
    "Mul",
    """Computes x * y element by element.

    Example:
        >>> sl.Session().run(sl.multiply([1, 2, 3], 10))
        array([10, 20, 30], dtype=int32)
    """,
)


_NUMBERS = (int, float, complex, np.generic, np.ndarray)

realdiv = binary("RealDiv", "Computes x / y of floating-point or complex numbers.")


floordiv = binary(
    "FloorDiv",
    """Computes x / y, rounded down to an integer.

    Raises:
        errors.InvalidArgumentError: In run(): an integer y is 0.

    Example:
        >>> sl.Session().run(sl.floordiv([7, -7], 2))
        array([ 3, -4], dtype=int32)
    """,
)


floormod = mod = binary(
    "FloorMod",
    """Computes x - floor(x / y) * y. The result has the sign of y.

    Example:
        >>> sl.Session().run(sl.floormod([7, -7], 3))
        array([1, 2], dtype=int32)
    """,
)


pow = binary(  # noqa: A001
    "Pow",
    """Computes x to the power y.

    Example:
        >>> sl.Session().run(sl.pow([2, 3], 2))
        array([4, 9], dtype=int32)
    """,
)


maximum = binary(
    "Maximum",
    """Returns the larger of x and y, element by element.

    Example:
        >>> sl.Session().run(sl.maximum([1, 5], [3, 2]))
        array([3, 5], dtype=int32)
    """,
)


minimum = binary(
    "Minimum",
    """Returns the smaller of x and y, element by element.

    Example:
        >>> sl.Session().run(sl.minimum([1, 5], [3, 2]))
        array([1, 2], dtype=int32)
    """,
)


squared_difference = binary("SquaredDifference", "Computes conj(x - y) * (x - y).")


multiply_no_nan = binary("MulNoNan", "Computes x * y. Where y is 0 the result is 0, whatever x is.")


nextafter = thin("NextAfter", "x1 x2", "Returns the number next to x1 in the direction of x2.")


truncatediv = binary("TruncateDiv", "Computes x / y of integers, rounded towards 0.")


truncatemod = binary(
    "TruncateMod", "Computes x - truncatediv(x, y) * y. The result has the sign of x."
)


negative = unary("Neg", "Computes -x.")


sign = unary("Sign", "Returns -1, 0 or 1 by the sign of x; x / |x| of a complex number.")


square = unary(
    "Square",
    """Computes x * x.

    Example:
        >>> sl.Session().run(sl.square([1, 2, 3]))
        array([1, 4, 9], dtype=int32)
    """,
)


sqrt = unary(
    "Sqrt",
    """Computes the square root of x; NaN where x is negative.

    Example:
        >>> sl.Session().run(sl.sqrt([4.0, 9.0]))
        array([2., 3.], dtype=float32)
    """,
)


rsqrt = unary("Rsqrt", "Computes 1 / sqrt(x).")


reciprocal = unary("Reciprocal", "Computes 1 / x.")


def add(x, y, name=None):
    """Adds two tensors element by element. Strings are joined.

    Args:
        x: A tensor of any numeric dtype, or of strings.
        y: A tensor of the dtype of x. The shapes of the two are broadcast.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the same dtype and of the broadcast shape.

    Raises:
        ValueError or errors.InvalidArgumentError: The dtypes or shapes do not fit.

    Example:
        >>> sl.Session().run(sl.add([1, 2], 10))
        array([11, 12], dtype=int32)
    """
    first = x if hasattr(x, "dtype") or not hasattr(y, "dtype") else y
    op = "Add" if convert_to_tensor(first).dtype.base_dtype == dtypes.string else "AddV2"
    return raw_ops.apply_op(op, name or "Add", x=x, y=y)


def divide(x, y, name=None):
    """Computes x / y as Python does: integers are divided as floating-point numbers.

    Args:
        x: A tensor of any numeric dtype.
        y: A tensor of the dtype of x. The shapes of the two are broadcast.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the broadcast shape. Its dtype is that of x; for integers of 32 and 64 bits it
        is float64, for those of 8 and 16 bits float32. The quotient of two numbers or arrays is
        one of these, not a tensor.

    Example:
        >>> sl.Session().run(sl.divide([7, 8], 2))
        array([3.5, 4. ])
    """
    if isinstance(x, _NUMBERS) and isinstance(y, _NUMBERS):
        return x / y
    return truediv(x, y, name)


def truediv(x, y, name=None):
    """Computes x / y as Python does: integers are divided as floating-point numbers.

    Args:
        x: A tensor of any numeric dtype.
        y: A tensor of the dtype of x. The shapes of the two are broadcast.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the broadcast shape: see divide().
    """
    with name_scope(name, "truediv") as scope:
        dtype = y.dtype if not hasattr(x, "graph") and hasattr(y, "graph") else None
        x = convert_to_tensor(x, dtype, "x")
        dtype = x.dtype.base_dtype
        y = convert_to_tensor(y, dtype_hint=dtype, name="y")
        if dtype != y.dtype.base_dtype:
            raise TypeError(f"{x.name} is {x.dtype.name}, but {y.name} is {y.dtype.name}")
        if dtype.is_integer:
            wide = dtype in (dtypes.int32, dtypes.int64, dtypes.uint32, dtypes.uint64)
            kind = dtypes.float64 if wide else dtypes.float32
            x, y = cast(x, kind), cast(y, kind)
        return raw_ops.RealDiv(x=x, y=y, name=scope)


def div(x, y, name=None):
    """Computes x / y as Python 2 does: the quotient of integers is an integer, rounded down.

    Args:
        x: A tensor of any numeric dtype.
        y: A tensor of the dtype of x. The shapes of the two are broadcast.
        name: Name of the operation, a str. None: "div".

    Returns:
        A tensor of the broadcast shape, with the dtype of x.

    Example:
        >>> sl.Session().run(sl.div([7, -7], 2))
        array([ 3, -4], dtype=int32)
    """
    with name_scope(name, "div") as scope:
        x = convert_to_tensor(x)
        divided = floordiv if x.dtype.is_integer else realdiv
        return divided(x, convert_to_tensor(y, x.dtype), name=scope)


def divide_no_nan(x, y, name=None):
    """Computes x / y. Where y is 0 the result is 0.

    Args:
        x: A tensor of any floating-point dtype.
        y: A tensor of the dtype of x. The shapes of the two are broadcast.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the broadcast shape.

    Raises:
        errors.InvalidArgumentError: The dtypes or shapes do not fit.
    """
    with name_scope(name, "div_no_nan") as scope:
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, x.dtype, "y")
        return raw_ops.DivNoNan(x=x, y=y, name=scope)


def scalar_mul(scalar, x, name=None):
    """Multiplies a tensor by a scalar.

    Args:
        scalar: A number or a scalar tensor of the dtype of x.
        x: A tensor of any numeric dtype, or IndexedSlices.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape and dtype of x, or IndexedSlices.
    """
    if isinstance(x, IndexedSlices):
        values = scalar_mul(scalar, x.values, name)
        return IndexedSlices(values, x.indices, x.dense_shape)
    x = convert_to_tensor(x)
    return multiply(convert_to_tensor(scalar, x.dtype), x, name)


def reciprocal_no_nan(x, name=None):
    """Computes 1 / x. Where x is 0 the result is 0.

    Args:
        x: A tensor of any floating-point or complex dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape and dtype of x.
    """
    x = convert_to_tensor(x)
    return divide_no_nan(ones_like(x), x, name)


def add_n(inputs, name=None):
    """Adds up tensors of one shape and dtype.

    Args:
        inputs: A list of tensors, at least one.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the same shape and dtype.

    Raises:
        ValueError or errors.InvalidArgumentError: The list is empty, or shapes or dtypes differ.

    Example:
        >>> sl.Session().run(sl.add_n([[1, 2], [3, 4], [5, 6]]))
        array([ 9, 12], dtype=int32)
    """
    inputs = [convert_to_tensor(x) for x in inputs]
    if len(inputs) == 1:
        return raw_ops.Identity(input=inputs[0], name=name) if name else inputs[0]
    return raw_ops.AddN(inputs=inputs, name=name)


def accumulate_n(inputs, shape=None, tensor_dtype=None, name=None):
    """Adds up tensors of one shape and dtype, as add_n() does.

    Args:
        inputs: A list of tensors, at least one.
        shape: Shape of the inputs. None: it follows from them.
        tensor_dtype: Accepted. The dtype follows from the inputs.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the same shape and dtype.
    """
    del tensor_dtype
    inputs = [convert_to_tensor(x) for x in inputs]
    known = TensorShape(shape)
    for x in inputs:
        known = known.merge_with(x.shape)
    if len(inputs) == 1:
        return inputs[0] if name is None else raw_ops.Identity(input=inputs[0], name=name)
    return raw_ops.AccumulateNV2(inputs=inputs, shape=known, name=name)


__all__ = with_names(globals())

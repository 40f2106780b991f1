# SPDX-License-Identifier: Apache-2.0
"""Tensors that are passed on: identities, and placeholders with a default."""

from .. import raw_ops
from ..building import thin, unary, with_names

identity = unary(
    "Identity",
    """Returns a tensor with the value of the input.

    Returns:
        A tensor of the shape and dtype of `input`.

    Example:
        >>> sl.Session().run(sl.identity([1, 2]))
        array([1, 2], dtype=int32)
    """,
)


stop_gradient = unary(
    "StopGradient",
    """Returns the input as a constant for gradients(): no gradient flows through it.

    Returns:
        A tensor of the shape and dtype of `input`.

    Example:
        >>> x = sl.constant(3.0)
        >>> sl.gradients(sl.stop_gradient(x) * x, x)[0].eval(session=sl.Session())
        3.0
    """,
)


def identity_n(input, name=None):
    """Returns tensors with the values of the inputs.

    Args:
        input: A list of tensors of any dtypes.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A list of tensors.
    """
    return raw_ops.IdentityN(input=list(input), name=name)


guarantee_const = thin(
    "GuaranteeConst",
    "input",
    """Declares that a tensor has the same value in every step.

    Returns:
        A tensor with the value of `input`.
    """,
)


def placeholder_with_default(input, shape, name=None):
    """Makes a tensor that a run may feed. Without a feed it has a default value.

    Args:
        input: The default value, a tensor or a value of any dtype.
        shape: The shape of what may be fed: sizes, None where any is fine; None: any rank.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the dtype of input.

    Example:
        >>> x = sl.placeholder_with_default([1, 2], [None])
        >>> sl.Session().run(x * 2)
        array([2, 4], dtype=int32)
    """
    shape = None if shape is None else list(shape)
    return raw_ops.PlaceholderWithDefault(input=input, shape=shape, name=name)


__all__ = with_names(globals())

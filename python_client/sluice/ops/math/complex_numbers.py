# SPDX-License-Identifier: Apache-2.0
"""Complex numbers, their parts and absolute values."""

import numpy as np

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from .. import raw_ops
from ..array import cast, zeros_like
from ..building import of_stored, with_names
from .arithmetic import multiply
from .comparison import less


def _real_type(dtype):
    return dtypes.float64 if dtype.base_dtype == dtypes.complex128 else dtypes.float32


def _part(op, of_real, doc):
    def function(input, name=None):
        x = convert_to_tensor(input)
        if not x.dtype.is_complex:
            return of_real(x)
        return raw_ops.apply_op(op, name, input=x, Tout=_real_type(x.dtype))

    function.__doc__ = f"""{doc}

    Args:
        input: A tensor of any numeric dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the same shape: float32 of complex64, float64 of complex128, else of the dtype
        of input.
    """
    return function


real = _part("Real", lambda x: x, "Returns the real part of each element.")


imag = _part(
    "Imag", zeros_like, "Returns the imaginary part of each element, which is 0 for real numbers."
)


angle = _part(
    "Angle", lambda x: multiply(cast(less(x, 0), x.dtype), np.pi),
    "Computes the angle of each complex number in radians; of real numbers it is 0 or pi.",
)  # fmt: skip


def complex(real, imag, name=None):  # noqa: A001
    """Makes complex numbers of real and imaginary parts.

    Args:
        real: A float32 or float64 tensor.
        imag: A tensor of the dtype of real. The shapes of the two are broadcast.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A complex64 tensor of float32 parts, a complex128 tensor of float64 parts.
    """
    if not hasattr(real, "graph") and hasattr(imag, "graph"):
        real = convert_to_tensor(real, imag.dtype)
    real = convert_to_tensor(real)
    kind = dtypes.complex128 if real.dtype.base_dtype == dtypes.float64 else dtypes.complex64
    return raw_ops.Complex(real=real, imag=imag, Tout=kind, name=name)


def conj(x, name=None):
    """Computes the complex conjugate. Real numbers stay as they are.

    Args:
        x: A tensor of any numeric dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape and dtype of x.
    """
    x = convert_to_tensor(x)
    return raw_ops.Conj(input=x, name=name) if x.dtype.is_complex else x


@of_stored
def abs(x, name=None):  # noqa: A001
    """Computes the absolute value of each element.

    Args:
        x: A tensor of any numeric dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape and dtype of x; of complex64 it is float32, of complex128 float64.

    Raises:
        TypeError: x has no numeric dtype.

    Example:
        >>> sl.Session().run(sl.abs([-2, 3]))
        array([2, 3], dtype=int32)
    """
    with name_scope(name, "Abs") as scope:
        x = convert_to_tensor(x, name="x")
        if x.dtype.is_complex:
            return raw_ops.ComplexAbs(x=x, Tout=_real_type(x.dtype), name=scope)
        return raw_ops.Abs(x=x, name=scope)


__all__ = with_names(globals())

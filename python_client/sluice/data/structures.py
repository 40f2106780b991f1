# SPDX-License-Identifier: Apache-2.0
"""Older names of specs."""

from ..ops.functions.functions import TensorSpec
from .specs import SparseTensorSpec


def TensorStructure(dtype, shape):  # noqa: N802
    """Makes the spec of a tensor.

    Args:
        dtype: Dtype of the tensor.
        shape: Shape of the tensor, or None for any.

    Returns:
        A TensorSpec.
    """
    return TensorSpec(shape, dtype)


def SparseTensorStructure(dtype, shape):  # noqa: N802
    """Makes the spec of a SparseTensor.

    Args:
        dtype: Dtype of the values.
        shape: Shape of the SparseTensor, or None for any.

    Returns:
        A SparseTensorSpec.
    """
    return SparseTensorSpec(shape, dtype)

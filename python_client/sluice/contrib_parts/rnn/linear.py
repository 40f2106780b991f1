# SPDX-License-Identifier: Apache-2.0
"""A linear map of joined tensors, whose variables are in the current scope."""

from ...ops import array as arrays
from ...ops.math.products import matmul
from ...ops.nn.layers import bias_add
from ...ops.state import initializers
from ...ops.state.variable_scope import get_variable, get_variable_scope, variable_scope


class Linear:
    """The product of tensors side by side with a kernel, and a bias.

    Args:
        parts: The first tensors that it is for, a list of tensors [batch, size].
        size: Size of the output, an int.
        use_bias: Whether a bias is added. A bool.
        bias_initializer: Initializer of the bias. None: zeros.
        kernel_initializer: Initializer of the kernel. None: that of the scope.

    Raises:
        ValueError: A tensor is not a matrix of a known number of columns.
    """

    def __init__(self, parts, size, use_bias=True, bias_initializer=None, kernel_initializer=None):
        depth, dtype = sum(_depth(part) for part in parts), parts[0].dtype
        with variable_scope(get_variable_scope()) as outer:
            self._kernel = get_variable(
                "kernel", [depth, size], dtype, initializer=kernel_initializer
            )
            self._bias = None
            if use_bias:
                with variable_scope(outer) as inner:
                    inner.set_partitioner(None)
                    first = bias_initializer or initializers.zeros(dtype)
                    self._bias = get_variable("bias", [size], dtype, initializer=first)

    def __call__(self, parts):
        joined = parts[0] if len(parts) == 1 else arrays.concat(parts, 1)
        product = matmul(joined, self._kernel)
        return product if self._bias is None else bias_add(product, self._bias)


def _depth(part):
    shape = part.shape
    if shape.ndims != 2:
        raise ValueError(f"linear is expecting 2D arguments: {shape}")
    if shape[1].value is None:
        raise ValueError(f"linear expects shape[1] to be provided for shape {shape}")
    return shape[1].value

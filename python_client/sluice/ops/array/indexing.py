# SPDX-License-Identifier: Apache-2.0
"""Elements and slices by their indices: read and written."""

from ...graph.convert import convert_to_tensor, is_resource_variable
from .. import raw_ops
from ..building import thin, with_names
from .joining import concat
from .passing import identity
from .places import batch_places

scatter_nd = thin(
    "ScatterNd",
    "indices updates shape",
    """Adds updates into a tensor of zeros. It is the reverse of gather_nd().

    Args:
        indices: An int32 or int64 tensor [..., k]: the first k indices of each update.
        updates: A tensor of any dtype with the updates, one for each index.
        shape: The shape of the result, an int32 or int64 vector.

    Returns:
        A tensor of the dtype of `updates`. Updates of one index are added up.

    Example:
        >>> sl.Session().run(sl.scatter_nd([[1], [3]], [5, 6], [4]))
        array([0, 5, 0, 6], dtype=int32)
    """,
)


tensor_scatter_update = thin(
    "TensorScatterUpdate",
    "tensor indices updates",
    """Returns a copy of a tensor with some elements replaced.

    Args:
        indices: An int32 or int64 tensor [..., k]: the first k indices of each update.

    Returns:
        A tensor of the shape and dtype of `tensor`.
    """,
)


tensor_scatter_add = thin(
    "TensorScatterAdd",
    "tensor indices updates",
    """Returns a copy of a tensor with updates added to some elements.

    Args:
        indices: An int32 or int64 tensor [..., k]: the first k indices of each update.

    Returns:
        A tensor of the shape and dtype of `tensor`.
    """,
)


tensor_scatter_sub = thin(
    "TensorScatterSub",
    "tensor indices updates",
    """Returns a copy of a tensor with updates subtracted from some elements.

    Args:
        indices: An int32 or int64 tensor [..., k]: the first k indices of each update.

    Returns:
        A tensor of the shape and dtype of `tensor`.
    """,
)


def gather(params, indices, validate_indices=None, name=None, axis=None, batch_dims=0):
    """Takes slices of a tensor by their indices.

    Of a resource variable only the rows that are asked for are read.

    Args:
        params: A tensor or variable of any dtype.
        indices: An int32 or int64 tensor of indices along `axis`.
        validate_indices: Accepted. Indices are always checked.
        name: Name of the operation, a str. None: a default name.
        axis: The dimension that the indices belong to, an int. None: batch_dims.
        batch_dims: How many leading dimensions params and indices have in common, an int.

    Returns:
        A tensor of the dtype of params: its shape with dimension `axis` replaced by the shape of
        indices.

    Raises:
        errors.InvalidArgumentError: In run(): an index is out of range.

    Example:
        >>> sl.Session().run(sl.gather([10, 20, 30], [2, 0]))
        array([30, 10], dtype=int32)
    """
    del validate_indices  # indices are always checked
    axis = batch_dims if axis is None else axis
    if is_resource_variable(params) and axis == 0 and batch_dims == 0:
        if hasattr(params, "true_dtype"):  # it casts what is read
            return params.sparse_read(indices, name)
        return identity(raw_ops.ResourceGather(
            resource=params.handle, indices=indices, dtype=params.dtype, name=name or "Gather"
        ))  # fmt: skip
    return raw_ops.GatherV2(
        params=params, indices=indices, axis=axis, batch_dims=batch_dims, name=name
    )


def gather_nd(params, indices, name=None, batch_dims=0):
    """Takes slices of a tensor by their indices in several dimensions.

    Args:
        params: A tensor of any dtype.
        indices: An int32 or int64 tensor [..., k]: the first k indices of each slice.
        name: Name of the operation, a str. None: a default name.
        batch_dims: How many leading dimensions params and indices have in common, an int.

    Returns:
        A tensor of the dtype of params: one slice for each index.

    Raises:
        errors.InvalidArgumentError: In run(): an index is out of range.

    Example:
        >>> sl.Session().run(sl.gather_nd([[1, 2], [3, 4]], [[0, 1], [1, 0]]))
        array([2, 3], dtype=int32)
    """
    params, indices = convert_to_tensor(params), convert_to_tensor(indices)
    if batch_dims:
        indices = concat([*batch_places(indices, batch_dims), indices], -1)
    return raw_ops.GatherNd(params=params, indices=indices, name=name)


def unravel_index(indices, dims, name=None):
    """Converts indices of a flat tensor to indices of each dimension.

    Args:
        indices: An int32 or int64 vector [n] or scalar.
        dims: The shape, a vector of the dtype of indices.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [rank, n].

    Raises:
        errors.InvalidArgumentError: In run(): an index is out of range.
    """
    return raw_ops.UnravelIndex(indices=indices, dims=dims, name=name)


__all__ = with_names(globals())

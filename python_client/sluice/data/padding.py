# SPDX-License-Identifier: Apache-2.0
"""Batches of elements that are padded to one shape."""

import numpy as np

from .. import dtypes
from ..graph.convert import constant, convert_to_tensor
from ..graph.elements import attr_of
from ..graph.shape_vectors import shape_in
from ..graph.tensor_shape import TensorShape, dims_of
from ..ops.functions.functions import TensorSpec
from . import specs
from .structure import leaves, leaves_up_to, mapped, pack
from .variants import then


def padded_batch(dataset, batch_size, padded_shapes, padding_values, drop_remainder):
    """Dataset.padded_batch()."""
    element = dataset.element_spec
    for spec in leaves(element):
        if isinstance(spec, specs.SparseTensorSpec):
            raise TypeError("Batching of padded sparse tensors is not currently supported")
    size = convert_to_tensor(batch_size, dtypes.int64, "batch_size")
    if padding_values is None:
        padding_values = mapped(_zero, element)
    flat = leaves(element)
    shapes = [
        shape_tensor(shape, spec.shape)
        for spec, shape in zip(flat, leaves_up_to(element, padded_shapes))
    ]
    values = [
        _scalar(value, spec.dtype)
        for spec, value in zip(flat, leaves_up_to(element, padding_values))
    ]
    drop = convert_to_tensor(drop_remainder, dtypes.bool_, "drop_remainder")
    dropping = attr_of(drop.op, "value") if drop.op.type == "Const" else None
    known = attr_of(size.op, "value") if dropping and size.op.type == "Const" else None
    first = TensorShape([None if known is None else int(known)])
    found = [
        TensorSpec(first.concatenate(shape_in(tensor)), spec.dtype)
        for spec, tensor in zip(flat, shapes)
    ]
    arguments = {"batch_size": size, "padded_shapes": shapes, "padding_values": values}
    op = "PaddedBatchDataset"
    if dropping is None or dropping:
        op, arguments["drop_remainder"] = "PaddedBatchDatasetV2", drop
    return then(dataset, op, pack(element, found), typed=False, **arguments)


def _zero(spec):
    if spec.dtype == dtypes.string:
        return ""
    if spec.dtype == dtypes.variant:
        raise TypeError("Unable to create padding for field of type 'variant'")
    return np.zeros([], spec.dtype.as_numpy_dtype)


def _scalar(value, dtype):
    tensor = convert_to_tensor(value, name="padding_value")
    if not tensor.shape.is_compatible_with(TensorShape([])):
        raise ValueError(f"Padding value should be a scalar, but is not: {tensor}")
    if tensor.dtype != dtype:
        raise TypeError(f"Padding value tensor ({tensor}) does not match output type: {dtype!r}")
    return tensor


def shape_tensor(shape, known=None, what="Padded shape"):
    """A shape as an int64 vector in which -1 is an unknown size.

    Args:
        shape: Sizes, a TensorShape or an int64 vector.
        known: The shape that it must have room for, or None.
        what: What errors call it, a str.

    Raises:
        ValueError: It is not a vector, or smaller than `known`.
        TypeError: It has another dtype.
    """
    try:
        dims = dims_of(TensorShape(shape))
        tensor = constant(np.array([-1 if d is None else d for d in dims], np.int64))
    except (TypeError, ValueError):
        tensor = convert_to_tensor(shape, preferred_dtype=dtypes.int64)
        if tensor.shape.ndims not in (None, 1):
            raise ValueError(
                f"{what} {shape} must be a 1-D tensor of tf.int64 values, but its shape was"
                f" {tensor.shape}."
            ) from None
        if tensor.dtype != dtypes.int64:
            raise TypeError(
                f"{what} {shape} must be a 1-D tensor of tf.int64 values, but its element type was"
                f" {tensor.dtype.name}."
            ) from None
    if known is not None and not _has_room(shape_in(tensor), known):
        raise ValueError(
            f"The padded shape {shape_in(tensor)} is not compatible with the corresponding input"
            f" component shape {known}."
        )
    return tensor


def _has_room(shape, known):
    if shape.ndims is None or known.ndims is None:
        return True
    if shape.ndims != known.ndims:
        return False
    rows = zip(shape.as_list(), known.as_list())
    return all(d is None or k is None or d >= k for d, k in rows)

# SPDX-License-Identifier: Apache-2.0
"""How functions that reduce dimensions are made."""

import numpy as np

from ...graph.convert import convert_to_tensor
from .. import raw_ops
from ..array.axes import all_axes
from ..building import describe


def reduction(op, doc):
    """Makes a function that reduces dimensions of a tensor.

    Args:
        op: The op, a str.
        doc: As of thin().

    Returns:
        The function.
    """
    tensor = raw_ops.definition(op)["inputs"][0]["name"]

    def function(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None,
                 keep_dims=None):  # fmt: skip
        x = input_tensor if hasattr(input_tensor, "op") else convert_to_tensor(input_tensor)
        axis = reduction_indices if axis is None else axis
        whole = axis is None
        axis = all_axes(x) if whole else axis
        axis = np.zeros(0, np.int32) if isinstance(axis, (list, tuple)) and not axis else axis
        keepdims = bool(keep_dims if keepdims is None else keepdims)
        given = {"reduction_indices": axis, "keep_dims": keepdims, tensor: x}
        made = raw_ops.apply_op(op, name, **given)
        if whole and not keepdims and made.shape.ndims is None:
            made.set_shape([])  # the rank of x is not known
        return made

    others = ("axis", "keepdims", "name", "reduction_indices", "keep_dims")
    targets = {"input_tensor": tensor, **dict.fromkeys(others)}
    returns = "A tensor of the same dtype, without the reduced dimensions."
    describe(function, op, doc, targets, dict.fromkeys(others), _REDUCED, returns)
    return function


_REDUCED = {
    "axis": "The dimensions to reduce: an int, a list of ints, or an int32 or int64 tensor. None: "
    "all dimensions.",
}

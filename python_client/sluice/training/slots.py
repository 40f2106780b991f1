# SPDX-License-Identifier: Apache-2.0
"""Slots: the variables that an optimizer keeps beside those that it trains."""

import contextlib

from ..graph.convert import is_resource_variable
from ..graph.default_graph import colocate_with
from ..ops import array as arrays
from ..ops.state import initializers
from ..ops.state.pieces import SaveSliceInfo
from ..ops.state.variable_scope import get_variable_scope, variable_scope
from ..ops.state.variables import Variable


def create_slot(primary, val, name, colocate_with_primary=True):
    """A variable `<primary's name>/<name>` on primary's device.

    Args:
      primary: a Variable.
      val: a tensor, the initial value.
      name: str; made unique in the graph.
      colocate_with_primary: bool; False: the device is that of the scope.

    Returns:
      A Variable that is not trainable.
    """
    known = val.shape.is_fully_defined()
    return _create(primary, name, known, colocate_with_primary, initializer=val)


def create_slot_with_initializer(primary, initializer, shape, dtype, name,
                                 colocate_with_primary=True):  # fmt: skip
    """create_slot() whose initial value comes from an initializer.

    Args:
      primary: a Variable.
      initializer: a function of (shape, dtype).
      shape: the slot's TensorShape.
      dtype: the slot's DType.
      name: str; made unique in the graph.
      colocate_with_primary: bool; False: the device is that of the scope.

    Returns:
      A Variable that is not trainable.
    """
    return _create(
        primary, name, shape.is_fully_defined(), colocate_with_primary, initializer=initializer,
        shape=shape, dtype=dtype,
    )  # fmt: skip


def create_zeros_slot(primary, name, dtype=None, colocate_with_primary=True):
    """create_slot() of zeros.

    Args:
      primary: a Variable, whose shape the slot has.
      name: str; made unique in the graph.
      dtype: the slot's DType; None: primary's.
      colocate_with_primary: bool; False: the device is that of the scope.

    Returns:
      A Variable that is not trainable.
    """
    dtype = dtype or primary.dtype.base_dtype
    if primary.shape.is_fully_defined():
        zeros = initializers.zeros()
        return create_slot_with_initializer(
            primary, zeros, primary.shape, dtype, name, colocate_with_primary
        )
    sizes = arrays.shape(primary.initialized_value() if isinstance(primary, Variable) else primary)
    return create_slot(primary, arrays.zeros(sizes, dtype), name, colocate_with_primary)


def _create(primary, name, validate_shape, beside, **given):
    resource = is_resource_variable(primary) if isinstance(primary, Variable) else None
    place = colocate_with(primary.op) if beside else contextlib.nullcontext()
    with variable_scope(None, f"{primary.op.name}/{name}"), place:
        scope = get_variable_scope()
        if scope.partitioner is not None:
            scope.set_partitioner(None)  # the slot of a part is whole
        slot = scope.get_variable(
            "", trainable=False, use_resource=resource, validate_shape=validate_shape, **given
        )
    info = getattr(primary, "_save_slice_info", None)
    if info is not None:  # saved as the same piece of a larger slot
        full_name = f"{info.full_name}/{slot.op.name[len(primary.op.name) + 1:]}"
        slot._save_slice_info = SaveSliceInfo(
            full_name, info.full_shape, info.var_offset, info.var_shape
        )
    return slot

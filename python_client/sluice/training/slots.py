# SPDX-License-Identifier: Apache-2.0
"""Slots: the variables that an optimizer keeps beside those that it trains."""

from ..graph.convert import is_resource_variable
from ..graph.default_graph import colocate_with
from ..ops import array as arrays
from ..ops.state import initializers
from ..ops.state.variable_scope import get_variable_scope, variable_scope
from ..ops.state.variables import SaveSliceInfo, Variable


def create_slot(primary, value, name):
    """A variable `<primary's name>/<name>` on primary's device.

    Args:
      primary: a Variable.
      value: a tensor, the initial value.
      name: str; made unique in the graph.

    Returns:
      A Variable that is not trainable.
    """
    return _create(primary, name, value.shape.is_fully_defined(), initializer=value)


def create_slot_with_initializer(primary, initializer, shape, dtype, name):
    """create_slot() whose initial value comes from an initializer.

    Args:
      primary: a Variable.
      initializer: a function of (shape, dtype).
      shape: the slot's TensorShape.
      dtype: the slot's DType.
      name: str; made unique in the graph.

    Returns:
      A Variable that is not trainable.
    """
    return _create(
        primary, name, shape.is_fully_defined(), initializer=initializer, shape=shape, dtype=dtype
    )


def create_zeros_slot(primary, name, dtype=None):
    """create_slot() of zeros.

    Args:
      primary: a Variable, whose shape the slot has.
      name: str; made unique in the graph.
      dtype: the slot's DType; None: primary's.

    Returns:
      A Variable that is not trainable.
    """
    dtype = dtype or primary.dtype
    if primary.shape.is_fully_defined():
        zeros = initializers.zeros()
        return create_slot_with_initializer(primary, zeros, primary.shape, dtype, name)
    sizes = arrays.shape(primary.initialized_value() if isinstance(primary, Variable) else primary)
    return create_slot(primary, arrays.zeros(sizes, dtype), name)


def _create(primary, name, validate_shape, **given):
    resource = is_resource_variable(primary) if isinstance(primary, Variable) else None
    with variable_scope(None, f"{primary.op.name}/{name}"), colocate_with(primary.op):
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

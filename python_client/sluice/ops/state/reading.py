# SPDX-License-Identifier: Apache-2.0
"""Reads of resource variables."""

from .. import raw_ops


def read_resource(variable, name=None):
    """The value of a resource variable, read after the current control dependencies."""
    value = raw_ops.ReadVariableOp(resource=variable.handle, dtype=variable.dtype, name=name)
    if value.shape.ndims is None:  # in the body of a loop or conditional
        value.set_shape(variable.shape)
    return value

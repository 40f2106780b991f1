# SPDX-License-Identifier: Apache-2.0
"""The device of a new operation: that of the references it changes, or the name of a scope."""

import functools

from .. import _sluice
from .device_spec import DeviceSpec


def bound_to(op_type, inputs):
    """Producers that an op must stand beside: of the references that it changes."""
    refs = [t.op for t in inputs if t._is_ref]
    return refs if refs and op_type in _reference_ops() else []


@functools.lru_cache(None)
def _reference_ops():
    """The types of ops that take references, and not only values."""
    return {op["name"] for op in _sluice.ops() if any(a["is_ref"] for a in op["inputs"])}


def check_device(op, name):
    """Raises ValueError: a device function `name` is not the name of a device."""
    try:
        DeviceSpec.from_string(name)
    except ValueError as e:
        raise ValueError(f"placing {op.name} ({op.type}): {e}") from None

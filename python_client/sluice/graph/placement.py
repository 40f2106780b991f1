# SPDX-License-Identifier: Apache-2.0
"""The device of a new operation: that of the references it changes, or that of the scopes."""

from .device_spec import DeviceSpec, merge
from .elements import references, set_device
from .registry import takes_references


def bound_to(op_type, inputs):
    """Producers that an op must stand beside: of the references that it changes."""
    return references(inputs) if takes_references(op_type) else []


def apply_device(state, op, together=(), scopes=True):
    """Gives an operation the device of the scopes; of what it stands beside where that has one.

    Args:
        state: The GraphState of its graph.
        op: The Operation.
        together: The operations that it stands beside.
        scopes: Whether the scopes count. A bool.
    """
    for entry in reversed(state.devices if scopes else ()):
        if entry is None:
            break
        device = entry(op) if callable(entry) else merge(op.device, entry)
        if callable(entry) and isinstance(device, str):
            _check_device(op, device)
        set_device(op, device or "")
    for other in together:
        if other.device:
            set_device(op, other.device)


def _check_device(op, name):
    """Raises ValueError: a device function `name` is not the name of a device."""
    try:
        DeviceSpec.from_string(name)
    except ValueError as e:
        raise ValueError(f"placing {op.name} ({op.type}): {e}") from None

# SPDX-License-Identifier: Apache-2.0
"""Updates of variables."""

from ...graph.convert import convert_to_tensor, is_resource_variable
from ...graph.default_graph import control_dependencies
from ...graph.elements import Tensor, is_ref
from .. import raw_ops
from .reading import read_resource


def assign(ref, value, validate_shape=None, use_locking=None, name=None):
    """Sets the value of a variable.

    Args:
        ref: The variable, or the reference of one.
        value: The new value, a tensor or a value of the variable's dtype.
        validate_shape: Whether a value of another shape is refused. A bool. None: True.
        use_locking: Whether updates of the variable take its lock. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        The new value, a tensor.

    Example:
        >>> v = sl.Variable(1)
        >>> with sl.Session() as session:
        ...     session.run(v.initializer)
        ...     print(session.run(sl.assign(v, 5)))
        5
    """
    of_node = isinstance(ref, Tensor) and is_ref(ref)
    if of_node or validate_shape is False and not is_resource_variable(ref):
        return raw_ops.Assign(
            ref=ref, value=value, validate_shape=validate_shape, use_locking=use_locking, name=name
        )
    return ref.assign(value, use_locking, name)


def assign_add(ref, value, use_locking=None, name=None):
    """Adds to the value of a variable.

    Args:
        ref: The variable, or the reference of one.
        value: The new value, a tensor or a value of the variable's dtype.
        use_locking: Whether updates of the variable take its lock. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        The new value, a tensor.

    Example:
        >>> v = sl.Variable(1)
        >>> with sl.Session() as session:
        ...     session.run(v.initializer)
        ...     print(session.run(sl.assign_add(v, 5)))
        6
    """
    if isinstance(ref, Tensor) and is_ref(ref):
        return raw_ops.AssignAdd(ref=ref, value=value, use_locking=use_locking, name=name)
    return ref.assign_add(value, use_locking, None if is_resource_variable(ref) else name)


def assign_sub(ref, value, use_locking=None, name=None):
    """Subtracts from the value of a variable.

    Args:
        ref: The variable, or the reference of one.
        value: The new value, a tensor or a value of the variable's dtype.
        use_locking: Whether updates of the variable take its lock. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        The new value, a tensor.
    """
    if isinstance(ref, Tensor) and is_ref(ref):
        return raw_ops.AssignSub(ref=ref, value=value, use_locking=use_locking, name=name)
    return ref.assign_sub(value, use_locking, None if is_resource_variable(ref) else name)


def assign_slice(ref, begin, end, strides, value, name=None, **masks):
    """Sets a part of a variable: see strided_slice().

    Args:
        ref: The variable.
        begin: An int32 or int64 vector: the first index of each dimension.
        end: The index after the last one of each dimension, of the same dtype.
        strides: The steps, of the same dtype.
        value: The new value of the part, a tensor or a value of the variable's dtype.
        name: Name of the operation, a str. None: a default name.
        **masks: Those of strided_slice().

    Returns:
        The new value of the variable, a tensor.
    """
    part = {"begin": begin, "end": end, "strides": strides, "name": name, **masks}
    if not is_resource_variable(ref):
        return raw_ops.StridedSliceAssign(ref=ref.handle, value=value, **part)
    value = convert_to_tensor(value, ref.dtype)
    done = raw_ops.ResourceStridedSliceAssign(ref=ref.handle, value=value, **part)
    with control_dependencies([done]):
        return read_resource(ref)


def count_up_to(ref, limit, name=None):
    """Returns the value of a variable and adds 1 to it.

    Args:
        ref: An int32 or int64 variable.
        limit: The value at which it fails, an int.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A scalar.

    Raises:
        errors.OutOfRangeError: In run(): the limit is reached.
    """
    if is_resource_variable(ref):
        return raw_ops.ResourceCountUpTo(resource=ref.handle, limit=limit, T=ref.dtype, name=name)
    return raw_ops.CountUpTo(ref=ref, limit=limit, name=name)

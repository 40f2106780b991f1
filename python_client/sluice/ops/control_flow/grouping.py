# SPDX-License-Identifier: Apache-2.0
"""Operations without values, and groups that run together."""

from ...graph.default_graph import (
    colocate_with,
    control_dependencies,
    device,
    get_default_graph,
    name_scope,
)
from ...graph.elements import IndexedSlices, Operation, id_of
from ...graph.other_graphs import graph_of_values
from .. import raw_ops
from ..array.passing import identity
from ..building import with_names

_tuple = tuple  # Python's own; ours has this name below


def no_op(name=None):
    """Adds an operation that does nothing. It is useful with control dependencies.

    Args:
        name: Name of the operation, a str. None: a default name.

    Returns:
        The Operation.
    """
    return raw_ops.NoOp(name=name)


def group(*inputs, name=None):
    """Adds an operation that ends after all of its inputs.

    Inputs of one device are waited for on that device first.

    Args:
        *inputs: Operations, tensors, variables, or nested lists of them.
        name: Name of the operation, a str. None: a default name.

    Returns:
        The Operation.

    Raises:
        TypeError: An input is none of these.

    Example:
        >>> v = sl.Variable(1)
        >>> both = sl.group(v.assign(2), sl.no_op())
        >>> with sl.Session() as session:
        ...     session.run(both)
        ...     print(session.run(v))
        2
    """
    leaves, graph = list(_leaves(inputs)), get_default_graph()
    home = graph_of_values(graph, leaves)
    if home is not graph:
        with home.as_default():
            return group(*inputs, name=name)
    by_device = {}
    for item in leaves:
        op = item if isinstance(item, Operation) else getattr(item, "op", None)
        if op is None:
            raise TypeError(f"group() takes operations and tensors, not {item!r}")
        by_device.setdefault(op.device, []).append(item)
    with name_scope(name, "group_deps") as scope:
        if not by_device:
            return no_op(scope)
        if len(by_device) == 1:
            ((where, items),) = by_device.items()
            return _after(items, where, scope)
        parts = [_after(by_device[where], where, None) for where in sorted(by_device)]
        with control_dependencies(parts):
            return no_op(scope)


def _after(items, where, name):
    with control_dependencies(items), device(where):
        return no_op(name)


def _leaves(items):
    for item in items:
        if isinstance(item, (list, _tuple)):
            yield from _leaves(item)
        else:
            yield item


def tuple(tensors, name=None, control_inputs=None):  # noqa: A001
    """Returns tensors that are available when all of them are.

    Args:
        tensors: A list of tensors. None stays None.
        name: Name of the operation, a str. None: a default name.
        control_inputs: Operations to wait for too, a list.

    Returns:
        A list of tensors with the same values.
    """
    after = [_operation(t) for t in [*tensors, *(control_inputs or ())] if t is not None]
    if all(t is None for t in tensors):
        raise ValueError(f"Must have at least one Tensor: {tensors}")
    with name_scope(name, "tuple"):
        gate = group(*sorted(dict.fromkeys(after), key=id_of))
        return [None if t is None else _behind(gate, t) for t in tensors]


def _operation(item):
    if not hasattr(item, "graph"):
        raise TypeError(f"Control input must be Operation or Tensor: {item}")
    return item if isinstance(item, Operation) else item.op


def _behind(gate, item):
    """A tensor, operation or IndexedSlices, to be used after `gate`."""
    if isinstance(item, Operation):
        with control_dependencies([gate]):
            return no_op()
    values = item.values if isinstance(item, IndexedSlices) else item
    with name_scope("control_dependency") as scope:
        with colocate_with(values.op), control_dependencies([gate]):
            values = identity(values, scope)
    if isinstance(item, IndexedSlices):
        return IndexedSlices(values, item.indices, item.dense_shape)
    return values


__all__ = with_names(globals())

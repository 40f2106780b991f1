# SPDX-License-Identifier: Apache-2.0
"""Nodes of reference variables without the variables around them, as TensorFlow's sources make
them."""

from ..graph.default_graph import colocate_with, name_scope
from ..graph.tensor_shape import TensorShape, dims_of
from ..ops import raw_ops


def variable_op(shape, dtype, name="Variable", set_shape=True, container="", shared_name=""):
    """Adds a node of the older op Variable.

    Args:
        shape: Shape of the variable.
        dtype: Dtype of its values.
        name: Name of the operation, a str.
        set_shape: Whether the shape is that of the tensor, too. A bool.
        container: Name of the container of its value, a str.
        shared_name: Name under which graphs share the value, a str.

    Returns:
        The reference, a tensor.
    """
    return raw_ops.Variable(
        shape=dims_of(TensorShape(shape if set_shape else None)), dtype=dtype, name=name,
        container=container, shared_name=shared_name,
    )  # fmt: skip


def variable_op_v2(shape, dtype, name="Variable", container="", shared_name=""):
    """Adds a node of a reference variable.

    Args:
        shape: Shape of the variable.
        dtype: Dtype of its values.
        name: Name of the operation, a str.
        container: Name of the container of its value, a str.
        shared_name: Name under which graphs share the value, a str.

    Returns:
        The reference, a tensor.
    """
    return raw_ops.VariableV2(
        shape=dims_of(TensorShape(shape)), dtype=dtype, name=name, container=container,
        shared_name=shared_name,
    )  # fmt: skip


def init_variable(v, init, name="init"):
    """Adds an operation that gives a node its first value.

    Args:
        v: The reference, a tensor.
        init: A tensor, or a function of (shape, dtype) that returns one.
        name: Name of the operation, a str. It is below that of the node.

    Returns:
        The new value, a tensor.
    """
    with name_scope(v.op.name + "/"), name_scope(name) as scope, colocate_with(v):
        value = init(v.shape, dtype=v.dtype.base_dtype) if callable(init) else init
        return raw_ops.Assign(ref=v, value=value, name=scope)


NAMES = {
    "ops.state_ops": {
        function.__name__: function for function in (init_variable, variable_op, variable_op_v2)
    }
}

# SPDX-License-Identifier: Apache-2.0
"""Names, graphs, conditions and shapes of tensors."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import control_dependencies, get_default_graph, name_scope
from ...graph.elements import Tensor
from ...graph.other_graphs import graph_of_values
from ...graph.tensor_shape import TensorShape, as_shape
from ...ops import array as arrays
from ...ops import math
from ...ops.debug.assertions import assert_scalar
from ...ops.debug.checks import Assert
from ...ops.math.arithmetic import add_n
from ...training.global_step import assert_global_step, get_global_step


def get_graph_from_inputs(op_input_list, graph=None):
    """Finds the graph of tensors.

    Args:
        op_input_list: Tensors, operations and others, a list.
        graph: The Graph that they must be of. None: that of the first one.

    Returns:
        A Graph; the default graph where nothing has one.

    Raises:
        ValueError: They are of several graphs.
    """
    if graph is None:
        return graph_of_values(get_default_graph(), op_input_list)
    for one in op_input_list:
        if getattr(one, "graph", graph) is not graph:
            raise ValueError(f"{one} is not from the passed-in graph.")
    return graph


def strip_name_scope(name, export_scope):
    """Removes a scope from a name.

    Args:
        name: The name, a str.
        export_scope: The scope, a str. None: none.

    Returns:
        A str.
    """
    if export_scope and name.startswith(export_scope.rstrip("/") + "/"):
        return name[len(export_scope.rstrip("/")) + 1 :]
    return name


def prepend_name_scope(name, import_scope):
    """Puts a scope before a name.

    Args:
        name: The name, a str.
        import_scope: The scope, a str. None: none.

    Returns:
        A str.
    """
    return f"{import_scope.rstrip('/')}/{name}" if import_scope else name


def assert_or_get_global_step(graph=None, global_step_tensor=None):
    """Checks a variable that counts steps, or finds it.

    Args:
        graph: The Graph to look in. None: the default graph.
        global_step_tensor: The variable. None: that of the graph.

    Returns:
        The variable; None if there is none.
    """
    if global_step_tensor is None:
        return get_global_step(graph)
    assert_global_step(global_step_tensor)
    return global_step_tensor


def assert_scalar_int(tensor, name=None):
    """Checks that a tensor is an int32 or int64 scalar.

    Args:
        tensor: The tensor.
        name: Name of the operation, a str. None: a default name.

    Returns:
        The tensor.

    Raises:
        ValueError: It has another dtype or shape.
    """
    with name_scope(name or "assert_scalar_int"):
        tensor = convert_to_tensor(tensor)
        if not tensor.dtype.is_integer:
            raise ValueError(f"Expected integer type for {tensor.name}, received type: "
                             f"{tensor.dtype}.")  # fmt: skip
        return assert_scalar(tensor)


def reduce_sum_n(tensors, name=None):
    """Adds up all elements of tensors.

    Args:
        tensors: The tensors, a list.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A scalar.

    Raises:
        ValueError: The list is empty.
    """
    if not tensors:
        raise ValueError("No tensors provided.")
    with name_scope(name or "reduce_sum_n"):
        sums = [math.reduce_sum(tensor, name=f"{tensor.op.name}/sum") for tensor in tensors]
        return sums[0] if len(sums) == 1 else add_n(sums)


def with_shape(expected_shape, tensor):
    """Checks the shape of a tensor when the graph is built, else in steps.

    Args:
        expected_shape: A TensorShape, a list of ints, or an int32 vector.
        tensor: The tensor.

    Returns:
        The tensor.

    Raises:
        ValueError: It has another shape.
    """
    if not isinstance(expected_shape, Tensor):
        tensor.get_shape().assert_is_compatible_with(as_shape(expected_shape))
        if tensor.get_shape().is_fully_defined():
            return tensor
        sizes = [-1 if d is None else d for d in TensorShape(expected_shape).as_list()]
        expected_shape = convert_to_tensor(sizes, dtype=dtypes.int32)
    actual = arrays.shape(tensor)
    fits = math.logical_or(math.equal(expected_shape, -1), math.equal(expected_shape, actual))
    message = f"Wrong shape for {tensor.name} [expected] [actual]."
    check = Assert(math.reduce_all(fits), [message, expected_shape, actual])
    with control_dependencies([check]):
        return arrays.identity(tensor)


def with_same_shape(expected_tensor, tensor):
    """Checks that a tensor has the shape of another one: see with_shape().

    Args:
        expected_tensor: The other tensor.
        tensor: The tensor.

    Returns:
        The tensor.
    """
    shape = expected_tensor.get_shape()
    known_shape = shape.as_list() if shape.is_fully_defined() else arrays.shape(expected_tensor)
    return with_shape(known_shape, tensor)


def remove_squeezable_dimensions(predictions, labels, name=None):
    """Removes the last dimension of size 1 of the tensor that has one more.

    Args:
        predictions: A tensor.
        labels: A tensor.
        name: Name of the operation, a str. None: a default name.

    Returns:
        Both tensors.
    """
    with name_scope(name or "remove_squeezable_dimensions"):
        predictions, labels = convert_to_tensor(predictions), convert_to_tensor(labels)
        ranks = predictions.get_shape().ndims, labels.get_shape().ndims
        if None not in ranks:
            if ranks[0] == ranks[1] + 1:
                predictions = arrays.squeeze(predictions, [-1])
            elif ranks[1] == ranks[0] + 1:
                labels = arrays.squeeze(labels, [-1])
        return predictions, labels


def deprecated(date, instructions, warn_once=True):
    """Returns a decorator that changes nothing.

    Args:
        date: Accepted. It has no effect.
        instructions: Accepted. It has no effect.
        warn_once: Accepted. It has no effect.

    Returns:
        A function.
    """
    del date, instructions, warn_once
    return lambda function: function


def deprecated_args(date, instructions, *deprecated_arg_names_or_tuples, **kwargs):
    """Returns a decorator that changes nothing.

    Args:
        date: Accepted. It has no effect.
        instructions: Accepted. It has no effect.
        *deprecated_arg_names_or_tuples: The same.
        **kwargs: The same.

    Returns:
        A function.
    """
    del date, instructions, deprecated_arg_names_or_tuples, kwargs
    return lambda function: function


deprecated_arg_values = deprecated_args
__all__ = """
    assert_or_get_global_step assert_scalar_int deprecated deprecated_arg_values deprecated_args
    get_graph_from_inputs prepend_name_scope reduce_sum_n remove_squeezable_dimensions
    strip_name_scope with_same_shape with_shape
""".split()
